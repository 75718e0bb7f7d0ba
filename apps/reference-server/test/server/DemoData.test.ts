import { ApiKeySecret, ApiKeys, Organisations, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { createIfEmpty, invitation } from "../../src/server/DemoData.ts"

const Services = SolarSitesServices.layer.pipe(Layer.provide(MemoryAdapters.layer))

const run = <A, E>(effect: Effect.Effect<A, E, Organisations | ApiKeys>) =>
  Effect.runPromise(Effect.provide(effect, Services))

describe("DemoData", () => {
  it("makes one organisation, whose key opens it", async () => {
    const { caller, list } = await run(
      Effect.gen(function* () {
        const key = Option.getOrThrow(yield* createIfEmpty)
        const caller = yield* ApiKeys.use((apiKeys) => apiKeys.authenticate(key))
        return { caller, list: yield* Organisations.use((organisations) => organisations.list()) }
      })
    )
    expect(list.data).toEqual([{ id: caller.organisationId, name: "Demo organisation", status: "active" }])
  })

  it("makes nothing where there is an organisation already", async () => {
    const again = await run(
      Effect.gen(function* () {
        yield* Organisations.use((organisations) => organisations.create({ name: "Ours" }))
        return yield* createIfEmpty
      })
    )
    expect(again).toEqual(Option.none())
  })

  it("is told with a line for the shell, in which nothing needs to be replaced", async () => {
    const secret = await Effect.runPromise(ApiKeySecret.generate)
    const [line = ""] = invitation("http://127.0.0.1:3000", secret).match(/curl .*/) ?? []
    expect(line).toContain("http://127.0.0.1:3000/api/sites")
    expect(line).toContain(`'x-api-key: ${Redacted.value(secret)}'`)
    expect(line.split("'").length % 2).toBe(1)
  })
})
