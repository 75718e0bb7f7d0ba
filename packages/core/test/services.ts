/**
 * What the tests of the services share: all services over memory, and people who
 * call them.
 */
import { Caller, CurrentCaller, Organisations, SolarSitesServices, UserId } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer } from "effect"

export const services = SolarSitesServices.layer.pipe(Layer.provideMerge(MemoryAdapters.layer))

/** A person of a new organisation. */
export const aPerson = Effect.gen(function* () {
  const { id } = yield* (yield* Organisations).create({ name: "Sunfield Energy" })
  return new Caller({ organisationId: id, userId: UserId.make("person-1"), apiKeyId: null })
})

export const as =
  (caller: Caller) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentCaller, caller)

/** The tag of the refusal, or that there was none. */
export const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onFailure: ({ _tag }): string => _tag, onSuccess: () => "accepted" })
