import { request } from "node:http"
import { DocumentStorage, RequestOrigin, SiteRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import type { HostEndpoint, HttpOptions } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { caller, nodeBinding, webBinding } from "./Setup.ts"

const { setup } = useMember()

const endpoint: HostEndpoint = {
  method: "GET",
  path: "/origin",
  serve: () => Effect.map(RequestOrigin, (origin) => HttpServerResponse.text(`${origin}`))
}

/** The origin as storage is told it, for a request with these headers from 127.0.0.1. */
const toldOver = async (headers: Readonly<Record<string, string>>, options: HttpOptions = { requestOrigin: true }) => {
  const { close, port } = await nodeBinding(setup().ports, { endpoints: [endpoint], ...options })
  const answered = new Promise<string>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/origin", headers, setHost: false }, (response) =>
      response.setEncoding("utf8").once("data", resolve)
    )
    sent.once("error", reject).end()
  })
  return answered.finally(close)
}

describe("the origin of a request", () => {
  it.each([
    ["localhost:3000", "http://localhost:3000"],
    ["127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["[::1]:3000", "http://[::1]:3000"],
    ["Solar.Example.com", "http://solar.example.com"],
    ["solar.example.com:80", "http://solar.example.com"],
    ["user@solar.example.com", "undefined"],
    ["solar.example.com/path", "undefined"],
    ["solar.example.com:99999", "undefined"],
    ["a b", "undefined"],
    [`${"a".repeat(300)}.example.com`, "undefined"]
  ])("is what Host names, if that is a host: %s", async (host, origin) => {
    expect(await toldOver({ host })).toBe(origin)
  })

  it("is that of a trusted proxy with its scheme, and of no other proxy", async () => {
    const headers = {
      host: "solar:3000",
      "x-forwarded-proto": "http, https",
      "x-forwarded-host": "evil.example.com, solar.example.com"
    }
    const trusting = { requestOrigin: true, trustedProxies: ["127.0.0.0/8"] }
    expect(await toldOver(headers, trusting)).toBe("https://solar.example.com")
    expect(await toldOver({ host: "solar:3000", "x-forwarded-proto": "https" }, trusting)).toBe("https://solar:3000")
    expect(await toldOver(headers)).toBe("http://solar:3000")
    expect(await toldOver(headers, { requestOrigin: true, trustedProxies: ["10.0.0.0/8"] })).toBe("http://solar:3000")
  })

  it("is that of the URL of a fetch request", async () => {
    const { close, send } = webBinding(setup().ports, { endpoints: [endpoint], requestOrigin: true })
    const response = await send(new Request("https://solar.example.com/origin"))
    expect(await response.text()).toBe("https://solar.example.com")
    await close()
  })

  it("is provided only when the host has switched it on", async () => {
    expect(await toldOver({ host: "localhost:3000" }, {})).toBe("undefined")
  })

  it("reaches the storage on every page of a list that is streamed", async () => {
    const { caller: member, key } = await setup().join("Sunfield")
    const storage = Effect.map(DocumentStorage, (it) => ({
      ...it,
      signDownload: () => Effect.map(RequestOrigin, (origin) => `${origin}/cover`)
    }))
    const covered = Effect.map(SiteRepository, (it) => ({
      ...it,
      list: (...args: Parameters<typeof it.list>) =>
        Effect.map(it.list(...args), (page) => ({
          hasMore: page.hasMore,
          items: page.items.map((site) =>
            Object.assign(Object.create(Object.getPrototypeOf(site)), site, {
              coverImageUrl: `${site.organisationId}/${site.id}/${site.id}`
            })
          )
        }))
    }))
    const changed = Layer.merge(Layer.effect(DocumentStorage, storage), Layer.effect(SiteRepository, covered))
    const { close, send, base } = webBinding(Layer.merge(setup().ports, Layer.provide(changed, setup().ports)), {
      requestOrigin: true,
      authenticate: () => member
    })
    const create = caller({ base, close, send }, key)
    for (const length of [1_000, 1]) {
      const sites = Array.from({ length }, (_, index) => ({ siteName: `Site ${index}`, capacity: 1, unit: "kW" }))
      await create("POST /api/sites/bulk", { body: { sites } })
    }
    const { json } = await create("GET /api/sites")
    const covers = json.data.map((site: { coverImageUrl: string }) => site.coverImageUrl)
    expect(covers).toHaveLength(1_001)
    expect(new Set(covers)).toEqual(new Set(["http://localhost/cover"]))
    await close()
  })
})
