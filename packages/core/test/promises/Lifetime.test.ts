import { ApiKeys, Records, RepositoryError, SiteRepository, SolarSites, SolarSitesServices } from "@solar-sites/core"
import { Deferred, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { collect, newSite, refusal, sharedMemory, unknownId } from "./setup.ts"

const disposed = { message: "This SolarSites is closed." }

/**
 * Sites whose reads and creations wait for the gate to open. `begun` resolves
 * when the first of them waits.
 */
const gatedSites = async () => {
  const memory = await sharedMemory()
  const [begun, gate] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
  const state = { released: false, interrupted: false }
  const note = (what: keyof typeof state) => {
    state[what] = true
  }
  const wait = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(gate)).pipe(
    Effect.onInterrupt(() => Effect.sync(() => note("interrupted")))
  )
  const gated = Layer.effect(
    Records,
    Effect.gen(function* () {
      const { commit, list, load } = yield* Records
      yield* Effect.addFinalizer(() => Effect.sync(() => note("released")))
      const waitIn = (gatedOperation: string, operation: string) => (operation === gatedOperation ? wait : Effect.void)
      return Records.of({
        load: (operation, ...rest) =>
          Effect.andThen(waitIn("SiteRepository.findById", operation), load(operation, ...rest)),
        commit: (operation, ...rest) =>
          Effect.andThen(waitIn("SiteRepository.insert", operation), commit(operation, ...rest)),
        list
      })
    })
  ).pipe(Layer.provideMerge(memory))
  const solar = SolarSites.make(gated)
  const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
  const open = () => Effect.runPromise(Deferred.succeed(gate, undefined))
  return { solar, state, ...solar.as({ organisationId }), open, begun: Effect.runPromise(Deferred.await(begun)) }
}

describe("a signal", () => {
  it("cancels a read with its reason", async () => {
    const { begun, sites, solar, state } = await gatedSites()
    const controller = new AbortController()
    const reading = refusal(sites.get(unknownId, { signal: controller.signal }))
    await begun
    controller.abort()
    expect(await reading).toBe(controller.signal.reason)
    expect(controller.signal.reason).toHaveProperty("name", "AbortError")
    expect(state.interrupted).toBe(true)
    await solar.dispose()
  })

  it("does not cancel a change that has begun", async () => {
    const { begun, open, sites, solar, state } = await gatedSites()
    const controller = new AbortController()
    const creating = sites.create(newSite, { signal: controller.signal })
    await begun
    controller.abort()
    await open()
    expect((await sites.list()).data).toEqual([await creating])
    expect(state.interrupted).toBe(false)
    await solar.dispose()
  })

  it("that is already aborted starts nothing", async () => {
    const { open, portfolios, sites, solar } = await gatedSites()
    await open()
    const reason = new Error("cancelled by the test")
    const signal = AbortSignal.abort(reason)
    expect(await refusal(sites.create(newSite, { signal }))).toBe(reason)
    expect(await refusal(sites.list({}, { signal }))).toBe(reason)
    expect(await refusal(solar.organisations.create({ name: "North" }, { signal }))).toBe(reason)
    expect(await refusal(solar.authenticate("", { signal }))).toBe(reason)
    expect(await refusal(collect(portfolios.streamWithSites({}, { signal })))).toBe(reason)
    expect((await sites.list()).data).toEqual([])
    await solar.dispose()
  })

  it("ends a stream between its parts", async () => {
    const { portfolios, solar } = await gatedSites()
    await portfolios.createMany(Array.from({ length: 3 }, () => ({ name: "South" })))
    const controller = new AbortController()
    const seen: Array<string> = []
    const reading = async () => {
      for await (const { _tag } of portfolios.streamWithSites({}, { signal: controller.signal })) {
        seen.push(_tag)
        controller.abort()
      }
    }
    expect(await refusal(reading())).toBe(controller.signal.reason)
    expect(seen.slice(0, 1)).toEqual(["Portfolio"])
    await solar.dispose()
  })

  it("that is aborted before the adapters are built prevents a change", async () => {
    const memory = await sharedMemory()
    const gate = Deferred.makeUnsafe<void>()
    const slow = Layer.unwrap(Effect.as(Deferred.await(gate), memory))
    await using solar = SolarSites.make(slow)
    const controller = new AbortController()
    const creating = refusal(solar.organisations.create({ name: "South" }, { signal: controller.signal }))
    controller.abort()
    await Effect.runPromise(Deferred.succeed(gate, undefined))
    expect(await creating).toBe(controller.signal.reason)
    expect((await solar.organisations.list()).data).toEqual([])
  })
})

describe("disposing", () => {
  it("cancels reads, waits for changes, releases the adapters and refuses later calls", async () => {
    const { begun, open, portfolios, sites, solar, state } = await gatedSites()
    const [reading, creating] = [refusal(sites.get(unknownId)), sites.create(newSite)]
    await begun
    const stream = portfolios.streamWithSites()[Symbol.asyncIterator]()
    const disposal = solar.dispose()
    expect(await reading).toMatchObject(disposed)
    expect(state.released).toBe(false)
    await open()
    expect((await creating).siteName).toBe("Long Meadow")
    await disposal
    expect(state.released).toBe(true)
    for (const promise of [sites.list(), sites.create(newSite), solar.objectArrived("x"), stream.next()]) {
      expect(await refusal(promise)).toMatchObject(disposed)
    }
    await solar.dispose()
  })

  it("happens at the end of the `using` block", async () => {
    const { open, solar, state } = await gatedSites()
    await open()
    {
      await using used = solar
      expect((await used.organisations.list()).data.length).toBe(1)
    }
    expect(state.released).toBe(true)
  })

  it("does not wait for adapters that are never built", async () => {
    const solar = SolarSites.make(Layer.unwrap(Effect.never))
    const waiting = refusal(solar.organisations.list())
    await solar.dispose()
    expect(await waiting).toMatchObject(disposed)
  })
})

describe("adapters that cannot be built", () => {
  it("reject every promise", async () => {
    const failure = new RepositoryError({ operation: "connect", retryable: true, cause: new Error("no database") })
    await using solar = SolarSites.make(Layer.unwrap(Effect.fail(failure)))
    const { portfolios, sites } = solar.as({ organisationId: unknownId })
    expect(await refusal(sites.list())).toBe(failure)
    expect(await refusal(sites.create(newSite))).toBe(failure)
    expect(await refusal(collect(portfolios.streamWithSites()))).toBe(failure)
  })
})

describe("the layer of a running SolarSites", () => {
  it("shares adapters and services with layers built on it", async () => {
    let built = 0
    const counting = Effect.as(
      Effect.sync(() => built++),
      await sharedMemory()
    )
    const solar = SolarSites.make(Layer.unwrap(counting))
    const apiKeys = () =>
      Effect.runPromise(
        Effect.provide(ApiKeys, SolarSitesServices.layer.pipe(Layer.provideMerge(solar.layer)), { local: true })
      )
    const [first, second] = await Promise.all([apiKeys(), apiKeys()])
    expect(first).toBe(second)
    expect(built).toBe(1)
    await solar.dispose()
  })

  it("does not end the adapters, and ends with them", async () => {
    const { open, solar, state } = await gatedSites()
    await open()
    const look = () => Effect.runPromise(Effect.asVoid(Effect.provide(SiteRepository, solar.layer)))
    await look()
    expect(state.released).toBe(false)
    await solar.dispose()
    expect(state.released).toBe(true)
    expect(await refusal(look())).not.toBe("accepted")
  })

  it("fails to build if the adapters do", async () => {
    const failure = new RepositoryError({ operation: "connect", retryable: true, cause: new Error("no database") })
    await using solar = SolarSites.make(Layer.unwrap(Effect.fail(failure)))
    expect(await refusal(Effect.runPromise(Effect.asVoid(Effect.provide(SiteRepository, solar.layer))))).toBe(failure)
  })
})
