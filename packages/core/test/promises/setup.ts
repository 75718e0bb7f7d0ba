/**
 * What the tests of the promises share: a fresh memory, the promises and the
 * services over it, and people who call them.
 */
import { SolarSites, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer } from "effect"

export const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const

export const nobody = "01890000-0000-7000-8000-000000000000"

/** A memory that everything built on the layer shares. */
export const sharedMemory = async () =>
  Layer.succeedContext(await Effect.runPromise(Effect.scoped(Layer.build(MemoryAdapters.layer))))

export const makeSetup = async () => {
  const memory = await sharedMemory()
  const solar = SolarSites.make(memory)
  /** Somebody of an organisation of their own. */
  const join = async () => {
    const organisation = await solar.organisations.create({ name: "Sunfield Energy" })
    return { organisation, ...solar.as({ organisationId: organisation.id, userId: "person-1" }) }
  }
  const services = SolarSitesServices.layer.pipe(Layer.provideMerge(memory))
  return { solar, memory, services, join, person: await join(), [Symbol.asyncDispose]: solar.dispose }
}

/** What a promise was refused with; that it was kept, when it was. */
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "accepted",
    (error: unknown) => error
  )

export const collect = async <A>(items: AsyncIterable<A>): Promise<Array<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}
