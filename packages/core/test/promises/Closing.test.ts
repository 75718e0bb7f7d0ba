import { SiteRepository, SolarSites, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Exit, Layer, Scope } from "effect"
import { describe, expect, it } from "vitest"

/** Records in which order the binding and the adapters end. */
const setup = () => {
  const ended: Array<string> = []
  const adapters = Layer.merge(
    MemoryAdapters.layer,
    Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => ended.push("adapters"))))
  )
  const solar = SolarSites.make(adapters)
  const scope = Scope.makeUnsafe()
  const bind = (close: () => Promise<void>) =>
    Effect.runPromise(
      Scope.provide(SolarSitesServices.bind(close), scope).pipe(
        Effect.provide(Layer.provideMerge(SolarSitesServices.layer, solar.layer))
      )
    )
  return { bind, ended, scope, solar }
}

describe("close", () => {
  it("ends the bindings before the adapters, which serve until then", async () => {
    const { bind, ended, solar } = setup()
    await bind(async () => {
      expect((await solar.organisations.list()).data).toEqual([])
      ended.push("binding")
    })
    await solar.close()
    expect(ended).toEqual(["binding", "adapters"])
    await expect(solar.organisations.list()).rejects.toThrow("This SolarSites is closed.")
  })

  it("resolves when it is called again, and ends nothing twice", async () => {
    const { bind, ended, solar } = setup()
    await bind(async () => void ended.push("binding"))
    await Promise.all([solar.close(), solar.close(), solar.dispose()])
    await solar.close()
    expect(ended).toEqual(["binding", "adapters"])
  })

  it("ends the adapters also when a binding fails, and rejects", async () => {
    const { bind, ended, solar } = setup()
    await bind(() => Promise.reject(new Error("the binding failed")))
    await expect(solar.close()).rejects.toThrow("the binding failed")
    expect(ended).toEqual(["adapters"])
  })

  it("ends the adapters after every binding, also when another binding fails at once", async () => {
    const { bind, ended, solar } = setup()
    await bind(() => Promise.reject(new Error("the binding failed")))
    await bind(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await solar.organisations.list()
      ended.push("slow binding")
    })
    await expect(solar.close()).rejects.toThrow("the binding failed")
    expect(ended).toEqual(["slow binding", "adapters"])
  })

  it("leaves out a binding that was closed before", async () => {
    const { bind, ended, scope, solar } = setup()
    await bind(async () => void ended.push("binding"))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await solar.close()
    expect(ended).toEqual(["adapters"])
  })
})

it("an adapter with a dispose ends last, when it is given by role", async () => {
  const ended: Array<string> = []
  const finalizer = (name: string) =>
    Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => ended.push(name))))
  const storage = {
    layer: Layer.merge(MemoryAdapters.layer, finalizer("layer")),
    dispose: async () => void ended.push("store")
  }
  const solar = SolarSites.make({ database: MemoryAdapters.layer, storage })
  await solar.organisations.list()
  await solar.close()
  expect(ended).toEqual(["layer", "store"])
})

it("a binding on a layer of adapters has nothing to register with", async () => {
  const bound = Effect.scoped(SolarSitesServices.bind(() => Promise.resolve()))
  await expect(
    Effect.runPromise(Effect.andThen(bound, SiteRepository).pipe(Effect.provide(MemoryAdapters.layer), Effect.asVoid))
  ).resolves.toBeUndefined()
})
