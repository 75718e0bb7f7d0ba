import { RateLimiter, SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer, Logger, Redacted } from "effect"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { routes, toNodeListener, toWebHandler } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { caller, webBinding } from "./Setup.ts"

const { setup } = useMember()

/** What only JavaScript lets through. */
const untyped = (value: unknown) => value as never

const makers = {
  toWebHandler: (options: unknown) => toWebHandler(setup().ports, untyped(options)),
  toNodeListener: (options: unknown) => toNodeListener(setup().ports, untyped(options)),
  routes: (options: unknown) => routes(untyped(options))
}

describe.each(Object.entries(makers))("invalid options of %s", (_, make) => {
  it.each([
    ["the options", null, /^options: give an object, or leave them out$/],
    ["a misspelt name", { prefx: "/solar" }, /^prefx: no such option; there are prefix, publicPath, secondPrefix,/],
    ["requestOrigin", { requestOrigin: "http://localhost" }, /^requestOrigin: give true or false$/],
    ["prefix", { prefix: "/solar/" }, /^prefix: "\/solar\/" is no path such as \/solar, which begins with a slash and/],
    ["prefix", { prefix: "/" }, /^prefix: "\/" is no path/],
    ["prefix", { prefix: "solar" }, /^prefix: "solar" is no path/],
    ["prefix", { prefix: "/solar//sites" }, /^prefix: .* is no path/],
    ["prefix", { prefix: "/solar/../sites" }, /^prefix: .* is no path/],
    ["prefix", { prefix: "/:tenant" }, /^prefix: .* is no path/],
    ["prefix", { prefix: "/süden" }, /^prefix: .* is no path/],
    ["prefix", { prefix: "/solar?a=1" }, /^prefix: .* is no path/],
    ["prefix", { prefix: 5 }, /^prefix: a number is no path/],
    ["secondPrefix", { secondPrefix: "/pages/" }, /^secondPrefix: "\/pages\/" is no path/],
    ["secondPrefix", { secondPrefix: "" }, /^secondPrefix: "" is no path/],
    [
      "storage",
      { storage: Effect.void },
      /^storage: give the function itself, such as files\.app and not files\.app\(\)$/
    ],
    ["authenticate", { authenticate: {} }, /^authenticate: give a function from a request to its caller$/],
    ["clientAddress", { clientAddress: "127.0.0.1" }, /^clientAddress: give a function/],
    ["onRequest", { onRequest: console }, /^onRequest: give a function/],
    ["isShuttingDown", { isShuttingDown: false }, /^isShuttingDown: give a function/],
    ["corsOrigins", { corsOrigins: "https://app.example.com" }, /^corsOrigins: give a list such as \["https:/],
    ["corsOrigins", { corsOrigins: [5] }, /^corsOrigins: 5 is no origin/],
    ["trustedProxies", { trustedProxies: "10.0.0.0/8" }, /^trustedProxies: give a list such as \["10\.0\.0\.0\/8"\]$/],
    ["trustedProxies", { trustedProxies: [5] }, /^trustedProxies: "5" is neither an address nor a network/],
    ["endpoints", { endpoints: {} }, /^endpoints: give a list/],
    ["healthChecks", { healthChecks: {} }, /^healthChecks: give a list such as \[{ name: "database"/],
    ["metricsToken", { metricsToken: 5 }, /^metricsToken: give a text, or Redacted\.make\(text\) of effect$/],
    ["metricsToken", { metricsToken: "" }, /^metricsToken: the text is empty; leave the option out/],
    ["metricsToken", { metricsToken: Redacted.make(" ") }, /^metricsToken: the text is empty/],
    ["metricsToken", { metricsToken: Redacted.make(undefined) }, /^metricsToken: give a text/],
    ["storageEvents", { storageEvents: true }, /^storageEvents: give { token, read }, where read is a function/],
    ["storageEvents", { storageEvents: null }, /^storageEvents: give { token, read }/],
    ["storageEvents", { storageEvents: { read: () => [] } }, /^storageEvents\.token: give a text, or Redacted/],
    ["storageEvents", { storageEvents: { read: () => [], token: "" } }, /^storageEvents\.token: the text is empty/]
  ])("are told at once, with what to give: %s (%#)", (_, options, sentence) => {
    expect(() => make(options)).toThrow(TypeError)
    expect(() => make(options)).toThrow(sentence)
  })
})

describe("the adapters of a binding", () => {
  it.each([
    ["nothing", undefined],
    ["a promise", Promise.resolve(MemoryAdapters.layer)],
    ["options", { database: MemoryAdapters.layer }]
  ])("are refused at once: %s", (_, adapters) => {
    for (const bind of [toWebHandler, toNodeListener]) {
      expect(() => bind(untyped(adapters))).toThrow(TypeError)
      expect(() => bind(untyped(adapters))).toThrow(/^(The options|database|storage) of Solar Sites must be /)
    }
  })

  it("may be named by their role", async () => {
    const memory = MemoryAdapters.layer
    const { dispose, handler } = toWebHandler({ database: memory, storage: memory })
    expect((await handler(new Request("http://localhost/health/live"))).status).toBe(200)
    await dispose()
  })

  it("cannot be built once their SolarSites is closed", async () => {
    const solar = SolarSites.make(MemoryAdapters.layer)
    await solar.dispose()
    const { dispose, ready } = toWebHandler(Layer.merge(solar.layer, Logger.layer([])))
    const error = await ready.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(Error)
    expect(`${error}`).toMatch(/^Error: .*disposed/)
    await dispose()
  })

  it("are named by an error when they are missing", async () => {
    const partly = Layer.mergeAll(RateLimiter.layerInProcess, Logger.layer([]))
    for (const bind of [toWebHandler, toNodeListener]) {
      // @ts-expect-error the type names the missing ports, too
      const { ready } = bind(partly)
      await expect(ready).rejects.toThrow(
        /^adapters: OrganisationRepository, Records, SiteRepository, .*, DocumentStorage missing; add a database such as/
      )
    }
  })

  it("does not end the process when the rejection of ready is ignored", async () => {
    const unheard = vi.fn()
    process.on("unhandledRejection", unheard)
    onTestFinished(() => void process.off("unhandledRejection", unheard))
    const broken = Layer.merge(setup().ports, Layer.effectContext(Effect.fail(new Error("no database"))))
    const { dispose, handler } = toWebHandler(Layer.merge(broken, Logger.layer([])))
    expect((await handler(new Request("http://localhost/health/live"))).status).toBe(503)
    await dispose()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(unheard).not.toHaveBeenCalled()
  })
})

it("the prefix may be empty", async () => {
  const binding = webBinding(setup().ports, { prefix: untyped("") })
  expect((await caller(binding, null)("GET /health/live")).status).toBe(200)
  await binding.close()
})
