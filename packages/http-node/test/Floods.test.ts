import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { SolarSitesApi } from "../src/contract/index.ts"
import type { HostEndpoint } from "../src/index.ts"
import { type Binding, caller, makeScene, nobodys, type Scene, type Send, webBinding } from "./Scene.ts"

const mebibyte = 1_048_576

/** As many of these as fit into so many characters. */
const filled = (before: string, item: (index: number) => string, after: string, characters = mebibyte): string => {
  const items: Array<string> = []
  let left = characters - before.length - after.length
  for (let index = 0; left > 0; index += 1) {
    const next = item(index)
    left -= next.length + 1
    if (left > 0) items.push(next)
  }
  return `${before}${items.join(",")}${after}`
}

const member = (index: number) => `"${index.toString(36)}":0`

const count: HostEndpoint = {
  method: "POST",
  path: "/count",
  serve: ({ readJson }) =>
    Effect.map(readJson(), (value) => HttpServerResponse.jsonUnsafe(Object.keys(Object(value)).length))
}

// What took seconds here, in which nobody else was served, is over in some milliseconds; machines that tests run on differ.
describe("a request that holds as much as it can", { timeout: 10_000 }, () => {
  let scene: Scene
  let binding: Binding
  let send: Send
  beforeAll(async () => {
    scene = await makeScene()
    binding = webBinding(scene.ports, { endpoints: [count], rateLimitPerMinute: 0 })
    send = caller(binding, (await scene.join("Sunfield")).key)
  })
  afterAll(async () => {
    await binding.close()
    await scene.close()
  })

  const shape = (index: number) => `{${member(index)}}`

  it.each([
    ["POST /api/sites", filled("{", member, "}")],
    [`PUT /api/sites/${nobodys}`, filled('{"siteManager":{', member, "}}")],
    ["POST /api/portfolios", filled('{"portfolios":[{', member, "}]}")],
    ["POST /api/portfolios", filled('[{"name":"East"},{', member, "}]")],
    [`PUT /api/portfolios/${nobodys}`, filled('{"sites":[', shape, "]}")]
  ])("is refused for the names in its body: %s (%#)", async (line, body) => {
    const { json, status } = await send(line, { body })
    expect([status, json.code, json.detail]).toEqual([
      400,
      "malformed_json",
      "The members of the body have more than 100 different names."
    ])
  })

  it("is read when it has no more names than others", async () => {
    const site = (index: number) => `{"id":"${index}\\":{[","address":"a:b","documents" : {}}`
    const quoted = filled('{"name":"East","sites":[', site, "]}", 500_000)
    const { json, status } = await send(`PUT /api/portfolios/${nobodys}`, { body: quoted })
    expect([status, json.code]).toEqual([404, "portfolio_not_found"])
    const few = await send("POST /api/sites", { body: filled("{", member, "}", 16_000) })
    expect([few.status, few.json.code, few.json.errors.length]).toEqual([400, "validation_failed", 1_000])
  })

  it("is read with all the names that the contract knows", async () => {
    const { components, paths } = OpenApi.fromApi(SolarSitesApi)
    const names = new Set(JSON.stringify([components, paths]).match(/"\w+"(?=:\{"(?:type|anyOf|allOf|\$ref)")/g))
    const all = [...names].map((name) => `${name}:0`).join(",")
    expect(names).toContain('"siteName"')
    const body = `{"name":"East","sites":[${filled(`{${all}},`, () => "0", "", 20_000)}]}`
    expect((await send(`PUT /api/portfolios/${nobodys}`, { body })).json.code).toBe("portfolio_not_found")
  })

  it("may have more of them at an endpoint of the host", async () => {
    const map = await send("POST /count", { body: filled("{", member, "}", 64_000) })
    expect(map.json).toBeGreaterThan(5_000)
    const { json, status } = await send("POST /count", { body: filled("{", member, "}") })
    expect([status, json.detail]).toEqual([400, "The members of the body have more than 10000 different names."])
  })

  it.each([
    ["GET /api/me", "a"],
    ["GET /api/sites", "siteId"],
    [`DELETE /api/portfolios/${nobodys}/sites`, "siteId"]
  ])("is refused for its query: %s", async (line, name) => {
    const query = `${name}&`.repeat(500_000 / name.length)
    const { json, status } = await send(`${line}?${query}`)
    expect([status, json.code]).toEqual([400, "validation_failed"])
  })

  it("is read when its query is long for what stands in it, or between it", async () => {
    const ids = Array.from({ length: 1_000 }, () => `siteId=${crypto.randomUUID()}`)
    const removed = await send(`DELETE /api/portfolios/${nobodys}/sites?${ids.join("&&")}`)
    expect([removed.status, removed.json.code]).toEqual([404, "portfolio_not_found"])
    const listed = await send(`GET /api/sites?${"&".repeat(20_000)}limit=0`)
    expect(listed.json.errors).toMatchObject([{ pointer: "/limit" }])
  })
})
