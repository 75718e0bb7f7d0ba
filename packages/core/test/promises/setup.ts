/**
 * Shared by the tests of the promises: a new memory, and the promises and services of its users.
 */
import { SolarSites, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer } from "effect"

export const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const

export const unknownId = "01890000-0000-7000-8000-000000000000"

/** One memory for all layers that are built on it. */
export const sharedMemory = async () =>
  Layer.succeedContext(await Effect.runPromise(Effect.scoped(Layer.build(MemoryAdapters.layer))))

export const makeSetup = async () => {
  const memory = await sharedMemory()
  const solar = SolarSites.make(memory)
  /** A user of a new organisation. */
  const newUser = async () => {
    const organisation = await solar.organisations.create({ name: "Sunfield Energy" })
    return { organisation, ...solar.as({ organisationId: organisation.id, userId: "user-1" }) }
  }
  const services = SolarSitesServices.layer.pipe(Layer.provideMerge(memory))
  return { solar, memory, services, newUser, user: await newUser(), [Symbol.asyncDispose]: solar.dispose }
}

/** The error of a promise, or "accepted". */
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
