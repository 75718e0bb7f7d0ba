/**
 * Shared requests: every example answers them alike, at any mount.
 */
import { expect, it } from "vitest"
import { answersAfterAborts } from "./Aborts.ts"
import { expectProblem, type Mounted, newSite, sending } from "./Calls.ts"
import { answersForDocuments, answersForSites } from "./Resources.ts"

/**
 * `hasStore`: files can be uploaded. `parsedByHost`: the body parser of the host runs first and
 * answers bodies that it cannot read.
 */
export interface Traits {
  readonly hasStore?: boolean
  readonly parsedByHost?: boolean
}

/** Registers the tests. `mounted` is called when they run. */
export const answersAll = (mounted: () => Mounted, { hasStore = false, parsedByHost = false }: Traits = {}): void => {
  const send = sending(mounted)

  answersForSites(mounted, send)
  answersForDocuments(send, hasStore)
  answersAfterAborts(mounted, send)

  it("accepts its callers alone", async () => {
    expect((await send("GET /api/me")).status).toBe(200)
    const anonymous = await send("GET /api/sites", { anonymous: true })
    expectProblem(anonymous, 401, "api_key_missing")
    expect(anonymous.headers.get("www-authenticate")).toContain("ApiKey")
    expectProblem(
      await send("GET /api/sites", { anonymous: true, headers: { "x-api-key": "x" } }),
      401,
      "api_key_invalid"
    )
    expectProblem(await send("POST /api/sites", { anonymous: true, body: newSite }), 401, "api_key_missing")
  })

  it("distinguishes unknown paths and unknown methods", async () => {
    expectProblem(await send("GET /api/nothing"), 404, "route_not_found")
    expectProblem(await send("POST /api/nothing", { body: {} }), 404, "route_not_found")
    for (const method of ["PATCH", "DELETE"]) {
      const wrong = await send(`${method} /api/sites`)
      expectProblem(wrong, 405, "method_not_allowed")
      expect(wrong.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS")
    }
  })

  it("names every fault of a body", async () => {
    const { json, ...answer } = await send("POST /api/sites", {
      body: { siteName: "", capacity: -1, unit: "kw", x: 1 }
    })
    expectProblem({ json, ...answer }, 400, "validation_failed")
    const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.sort()).toEqual(["/capacity", "/siteName", "/unit", "/x"])
  })

  it("refuses bodies that are no JSON, of another type, or too large", async () => {
    const refused = [
      [await send("POST /api/sites", { body: "{" }), 400, "malformed_json"],
      [
        await send("POST /api/sites", { body: JSON.stringify({ siteName: "x".repeat(1_100_000) }) }),
        413,
        "body_too_large"
      ]
    ] as const
    for (const [answer, status, code] of refused) {
      if (parsedByHost) expect(answer.status).toBe(status)
      else expectProblem(answer, status, code)
    }
    const text = { body: "{}", headers: { "content-type": "text/plain" } }
    expectProblem(await send("POST /api/sites", text), 415, "unsupported_media_type")
    expect((await send("GET /api/sites?limit=1")).status).toBe(200)
  })

  it("executes a repeated request once", async () => {
    const post = (body: unknown) => send("POST /api/sites", { body, headers: { "idempotency-key": "once" } })
    const [first, again] = [await post(newSite), await post(newSite)]
    expect([again.status, again.json, again.headers.get("location")]).toEqual([
      201,
      first.json,
      first.headers.get("location")
    ])
    expectProblem(await post({ ...newSite, siteName: "Another" }), 409, "idempotency_key_reused")
  })

  it("answers HEAD as GET, without the body", async () => {
    const { json } = await send("POST /api/sites", { body: newSite })
    const head = await send(`HEAD /api/sites/${json.id}`)
    expect([head.status, head.headers.get("etag"), head.text]).toEqual([200, '"1"', ""])
    expect((await send("HEAD /api/sites")).status).toBe(200)
  })

  it("is alive and ready, and describes itself", async () => {
    for (const path of ["/health/live", "/health/ready", "/openapi.json"]) {
      expect((await send(`GET ${path}`, { anonymous: true })).status).toBe(200)
    }
  })
}
