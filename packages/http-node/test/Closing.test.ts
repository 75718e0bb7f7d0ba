import { createServer } from "node:http"
import { SiteRepository, SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Deferred, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { toNodeListener, toWebHandler } from "../src/index.ts"
import { closed, listening } from "./Setup.ts"

/** A facade and a server over one memory whose site lists wait, once they have begun, until `open`. */
const setup = async () => {
  const ended: Array<string> = []
  const [begun, gate] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
  const gated = Layer.effect(
    SiteRepository,
    Effect.gen(function* () {
      const sites = yield* SiteRepository
      yield* Effect.addFinalizer(() => Effect.sync(() => ended.push("adapters")))
      const wait = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(gate))
      const read = Effect.sync(() => ended.push("request"))
      return SiteRepository.of({
        ...sites,
        list: (...query) => wait.pipe(Effect.andThen(read), Effect.andThen(sites.list(...query)))
      })
    })
  ).pipe(Layer.provideMerge(MemoryAdapters.layer))
  const solar = SolarSites.make(gated)
  const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
  const { secret } = await solar.as({ organisationId, userId: "ada" }).apiKeys.create({ name: "Reporting" })
  const open = () => Effect.runPromise(Deferred.succeed(gate, undefined))
  return { begun: Effect.runPromise(Deferred.await(begun)), ended, open, organisationId, secret, solar }
}

describe("close of a SolarSites with HTTP bindings", () => {
  it("ends requests, then the adapters they need, and resolves when it is called again", async () => {
    const { begun, ended, open, secret, solar } = await setup()
    const { listener, ready } = toNodeListener(solar)
    await ready
    const server = createServer(listener)
    const port = await listening(server)
    const listed = fetch(`http://127.0.0.1:${port}/api/sites?limit=1`, { headers: { "x-api-key": secret } })
    await begun
    const stopped = closed(server)
    const closing = solar.close()
    await open()
    expect((await listed).status).toBe(200)
    await Promise.all([closing, stopped])
    expect(ended).toEqual(["request", "adapters"])
    await solar.close()
    await solar[Symbol.asyncDispose]()
    expect(ended).toEqual(["request", "adapters"])
  })

  it("makes every binding answer that the service is shutting down", async () => {
    const { open, solar } = await setup()
    await open()
    const bindings = [toWebHandler(solar), toWebHandler(solar.layer)]
    for (const { handler, ready } of bindings) {
      await ready
      expect((await handler(new Request("http://localhost/health/live"))).status).toBe(200)
    }
    await solar.close()
    for (const { dispose, handler } of bindings) {
      const answer = await handler(new Request("http://localhost/health/live"))
      expect([answer.status, await answer.json()]).toMatchObject([503, { code: "shutting_down" }])
      await dispose()
    }
  })

  it("leaves the facade and the other bindings open when one binding is closed", async () => {
    const { open, organisationId, solar } = await setup()
    await open()
    const [one, other] = [toWebHandler(solar), toWebHandler(solar)]
    await Promise.all([one.ready, other.ready])
    await one.dispose()
    expect((await other.handler(new Request("http://localhost/health/live"))).status).toBe(200)
    expect((await solar.organisations.get(organisationId)).name).toBe("Sunfield Energy")
    await solar.close()
  })
})

describe("options of a host without Effect", () => {
  it("check the health with functions; one that rejects or takes too long is down", async () => {
    const isUp = { storage: () => Promise.reject(new Error("down")), mail: () => false }
    const { dispose, handler } = toWebHandler(MemoryAdapters.layer, {
      healthChecks: [
        { name: "database", problem: "database_unavailable", isUp: async () => true },
        { name: "storage", problem: "storage_unavailable", isUp: isUp.storage },
        { name: "mail", problem: null, isUp: isUp.mail }
      ]
    })
    const answer = await handler(new Request("http://localhost/health/ready"))
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: "storage_unavailable", checks: { database: "up", storage: "down", mail: "down" } }
    ])
    await dispose()
  })

  it("take the token of /metrics as text", async () => {
    const { dispose, handler } = toWebHandler(MemoryAdapters.layer, { metricsToken: "let me in" })
    const metrics = (token: string) =>
      handler(new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${token}` } }))
    expect((await metrics("let me in")).status).toBe(200)
    expect((await metrics("another")).status).toBe(404)
    await dispose()
  })
})
