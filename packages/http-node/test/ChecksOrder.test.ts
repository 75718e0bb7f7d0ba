import { createConnection } from "node:net"
import { Organisations, RateLimiter } from "@solar-sites/core"
import { Duration, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { undocumented } from "./Documented.ts"
import { aNewSite, type Binding, bindings, caller, makeSetup, nodeBinding, type Setup, unknownId } from "./Setup.ts"

// Each fault of a request, from the first that is judged to the last. Later ones are made together with the
// earlier one under test, so that the answer shows which was judged first.
const faults = [
  ["unknown path", 404, "route_not_found"],
  ["wrong method", 405, "method_not_allowed"],
  ["failures", 429, "rate_limited"],
  ["no key", 401, "api_key_missing"],
  ["organisation", 403, "organisation_inactive"],
  ["rate", 429, "rate_limited"],
  ["scope", 403, "scope_missing"],
  ["media type", 415, "unsupported_media_type"],
  ["size", 413, "body_too_large"],
  ["JSON", 400, "malformed_json"],
  ["schema", 400, "validation_failed"],
  ["scope of the body", 403, "scope_missing"],
  ["resource", 404, "site_not_found"],
  ["state", 412, "precondition_failed"]
] as const

type Fault = (typeof faults)[number][0]

const bodyWith = (has: (fault: Fault) => boolean): string => {
  const change = { capacity: has("schema") ? "much" : 2, ...(has("scope of the body") ? { portfolioId: null } : {}) }
  const body = has("JSON") ? "{" : JSON.stringify(change)
  return has("size") ? body.padEnd(1_048_577) : body
}

// An address that has failed too often, and further down a key that has asked too often.
const failing = "192.0.2.1"

const requestWith = (siteId: string, has: (fault: Fault) => boolean): Request => {
  const path = has("unknown path") ? "/api/nothing" : `/api/sites/${has("resource") ? unknownId : siteId}`
  return new Request(`http://localhost${path}`, {
    method: has("wrong method") ? "PATCH" : "PUT",
    headers: {
      "content-type": has("media type") ? "text/plain" : "application/json",
      "x-from": has("failures") ? failing : "192.0.2.2",
      "if-match": has("state") ? '"9"' : '"1"'
    },
    body: bodyWith(has)
  })
}

const keysOf = async (setup: Setup) => {
  const [active, inactive, busy] = await Promise.all(["Active", "Inactive", "Busy"].map(setup.join))
  if (active === undefined || inactive === undefined || busy === undefined) throw new Error("Nobody has joined")
  await setup.run(Effect.flatMap(Organisations, (it) => it.update(inactive.organisation.id, { status: "inactive" })))
  const reader = await setup.keyWith(active, "sites:read", "portfolios:write")
  const writer = await setup.keyWith(active, "sites:write")
  const all = { active: active.key, inactive: inactive.key, busy: busy.key, reader, writer }
  return { ...all, busyOrganisation: busy.organisation.id }
}

/** Refuses the named buckets for an hour, and no other. */
const refusingLimiter = (...refused: ReadonlyArray<string>) =>
  Layer.succeed(RateLimiter, {
    take: (bucket) => {
      const allowed = !refused.some((part) => bucket.includes(part))
      const retryAfter = Duration.hours(allowed ? 0 : 1)
      return Effect.succeed({
        bucket,
        allowed,
        remaining: allowed ? 9 : 0,
        retryAfter,
        resetAfter: Duration.seconds(1)
      })
    }
  })

describe.each(Object.entries(bindings))("order of checks through %s", (_, bind) => {
  let setup: Setup
  let binding: Binding
  let keys: Awaited<ReturnType<typeof keysOf>>
  let siteId: string
  beforeAll(async () => {
    setup = await makeSetup()
    keys = await keysOf(setup)
    binding = await bind(Layer.merge(setup.ports, refusingLimiter(failing, keys.busyOrganisation)), {
      clientAddress: ({ headers }) => headers["x-from"]
    })
    await binding.send(
      new Request(`${binding.base}/api/sites`, { headers: { "x-from": failing, "x-api-key": "wrong" } })
    )
    siteId = (await caller(binding, keys.active)("POST /api/sites", { body: aNewSite })).json.id
  })
  afterAll(async () => {
    await binding.close()
    await setup.close()
  })

  const send = async (request: Request, key: string | null) => {
    const { pathname } = new URL(request.url)
    const moved = new Request(`${binding.base}${pathname}`, request)
    if (key !== null) moved.headers.set("x-api-key", key)
    const response = await binding.send(moved)
    const { headers, status } = response
    const text = await response.text()
    expect(undocumented(request.method, pathname, { status, headers, text })).toEqual([])
    return { status, headers, json: JSON.parse(text) }
  }

  const pairs = faults.flatMap(([first, status, code], index) =>
    faults.slice(index).map(([second]) => ({ first, second, status, code }))
  )
  it.each(pairs)("answers $code for $first with $second", async ({ code, first, second, status }) => {
    const has = (fault: Fault) => fault === first || fault === second
    const owner = has("scope") ? keys.reader : has("scope of the body") ? keys.writer : keys.active
    const key = has("organisation") ? keys.inactive : has("rate") ? keys.busy : owner
    const answer = await send(requestWith(siteId, has), has("no key") ? null : key)
    expect([answer.status, answer.json.code, answer.json.status]).toEqual([status, code, status])
    const judged = faults.findIndex(([fault]) => fault === first)
    const limited = judged >= faults.findIndex(([fault]) => fault === "rate")
    expect([answer.headers.has("ratelimit"), answer.headers.has("ratelimit-policy")]).toEqual([limited, limited])
    if (status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3_000)
    expect(answer.json.requestId).toBe(answer.headers.get("x-request-id"))
    expect(answer.headers.get("content-type")).toBe("application/problem+json")
  })

  it("checks the organisation after the key and before the body", async () => {
    const answer = await send(
      requestWith(siteId, (fault) => fault === "media type"),
      keys.inactive
    )
    expect([answer.status, answer.json.code]).toEqual([403, "organisation_inactive"])
    expect(answer.json.detail).toMatch(/^Missing organisation id/)
  })

  it("returns Allow and WWW-Authenticate", async () => {
    const wrong = await send(new Request("http://localhost/api/sites", { method: "DELETE" }), null)
    expect(wrong.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS")
    const bulk = await send(new Request("http://localhost/api/docs/bulk-upload-url"), null)
    expect([bulk.json.code, bulk.headers.get("allow")]).toEqual(["method_not_allowed", "POST, OPTIONS"])
    for (const key of [null, "nonsense", `${keys.active}x`, `${keys.active}, ${keys.active}`]) {
      const answer = await send(new Request("http://localhost/api/sites"), key)
      expect(answer.json.code).toBe(key === null ? "api_key_missing" : "api_key_invalid")
      expect(answer.headers.get("www-authenticate")).toBe('ApiKey realm="api", header="x-api-key"')
    }
  })

  it.each([
    "/API/sites",
    "/api/Sites",
    "/api/sites/",
    "/api//sites",
    "//api/sites",
    "/api/sites;x=1",
    "/api%2Fsites",
    "/api/%73ites",
    `/api/sites/${unknownId}/`,
    `/api/portfolios/${unknownId}/sites/`,
    "/"
  ])("knows no path %s", async (path) => {
    const { json, status } = await caller(binding, keys.active)(`GET ${path}`)
    expect([status, json.code]).toEqual([404, "route_not_found"])
  })

  it.each([
    "no-uuid",
    "%20",
    `${unknownId}0`,
    "caf%C3%A9",
    `${unknownId}%00`,
    `${unknownId}%2F`,
    `${unknownId}%5c..`,
    `${unknownId};x=1`,
    `${unknownId}%2e`,
    `%30${unknownId.slice(1)}`,
    "%"
  ])("takes the path id %s for an unknown one", async (id) => {
    const sendAs = caller(binding, keys.active)
    for (const [line, body] of [
      ["GET /api/sites/ID", undefined],
      ["PUT /api/sites/ID", {}],
      ["DELETE /api/sites/ID", undefined],
      ["GET /api/portfolios/ID", undefined],
      ["POST /api/portfolios/ID/sites", { siteId }],
      ["GET /api/docs/ID", undefined],
      ["PUT /api/docs/ID", { status: "uploaded" }],
      ["DELETE /api/docs/ID", undefined],
      ["GET /api/docs/ID/download-url", undefined],
      ["POST /api/docs/ID/upload-url", undefined]
    ] as const) {
      const headers = { "x-request-id": "the-same-id" }
      const odd = await sendAs(line.replace("ID", id), { body, headers })
      const unknown = await sendAs(line.replace("ID", unknownId), { body, headers })
      expect([odd.status, odd.text]).toEqual([404, unknown.text])
    }
    expect((await caller(binding, null)(`GET /api/sites/${id}`)).json.code).toBe("api_key_missing")
    expect((await sendAs(`PUT /api/sites/${id}`, { body: { unit: "hp" } })).status).toBe(400)
    expect((await sendAs(`POST /api/docs/${id}/upload-url`, { body: { x: 1 } })).status).toBe(400)
  })
})

describe("the Node listener on the wire", () => {
  const exchange = (port: number, text: string, until: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      let seen = ""
      const socket = createConnection(port, "127.0.0.1", () => socket.write(text))
      socket.on("data", (chunk) => {
        seen += chunk
        if (until.test(seen)) socket.destroy()
      })
      socket.on("close", () => resolve(seen))
      socket.on("error", reject)
    })

  it("answers before the body is sent, asks for it only after the key, and refuses dot segments", async () => {
    const setup = await makeSetup()
    const binding = await nodeBinding(setup.ports)
    const { key } = await setup.join("Sunfield")
    const head = (path: string, more: string) => `${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
    const json = "content-type: application/json\r\n"
    const end = /\}$/
    const waiting = `${json}content-length: 100\r\n`
    const refused = await exchange(binding.port, head("POST /api/sites", waiting), end)
    expect(refused).toMatch(/^HTTP\/1.1 401 /)
    const asking = `${json}content-length: 2\r\nexpect: 100-continue\r\n`
    const unasked = await exchange(binding.port, head("POST /api/sites", asking), end)
    expect(unasked).toMatch(/^HTTP\/1.1 401 /)
    expect(unasked).toMatch(/connection: close/i)
    const asked = await exchange(
      binding.port,
      head("POST /api/sites", `${asking}x-api-key: ${key}\r\n`),
      /100 Continue/
    )
    expect(asked).toMatch(/^HTTP\/1.1 100 Continue/)
    const declared = `${json}content-length: 9999999\r\nx-api-key: ${key}\r\n`
    expect(await exchange(binding.port, head("POST /api/sites", declared), end)).toMatch(/^HTTP\/1.1 413 /)
    const twice = await exchange(
      binding.port,
      head("GET /api/sites", `x-api-key: ${key}\r\nx-api-key: ${key}\r\n`),
      end
    )
    expect(twice).toContain("api_key_invalid")
    for (const path of ["/api/../api/sites", "/api/./sites", "/api/sites/..", "/api/sites#x", "/api/sites/%2e%2e"]) {
      expect(await exchange(binding.port, head(`GET ${path}`, `x-api-key: ${key}\r\n`), end)).toContain(
        "route_not_found"
      )
    }
    await binding.close()
    await setup.close()
  })
})
