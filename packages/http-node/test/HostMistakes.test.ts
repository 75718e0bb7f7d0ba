import { apiScopes } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { Effect, Layer, Logger } from "effect"
import { describe, expect, it } from "vitest"
import type { HttpOptions } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, bindings, caller } from "./Setup.ts"

const { member, setup } = useMember()

/** What only JavaScript lets through. */
const untyped = (value: unknown) => value as never

describe.each(Object.entries(bindings))("a host whose functions fail, with %s", (_, bind) => {
  const withOptions = async (options: object, line: string, key: string | null = null) => {
    const logged: Array<string> = []
    const logger = Logger.make(({ cause, message }) => logged.push(`${[message].flat().join(" ")} ${cause}`))
    const binding = await bind(Layer.merge(setup().ports, Logger.layer([logger])), untyped(options))
    const body = line.startsWith("POST") ? { body: aNewSite } : {}
    const answer = await caller(binding, key)(line, body).finally(binding.close)
    return { ...answer, logged }
  }
  const asked = (given: unknown) => withOptions({ authenticate: () => given }, "GET /api/sites")
  const organisationId = anOrganisationId()
  const known = apiScopes.map((scope) => `"${scope}"`).join(" or ")

  it.each([
    ["nothing", undefined],
    ["a promise of nothing", Promise.resolve()],
    ["an effect of nothing", Effect.void],
    ["null", null]
  ])("leaves the caller to the key when it gives %s", async (_, given) => {
    const { json, logged, status } = await asked(given)
    expect([status, json.code, logged]).toEqual([401, "api_key_missing", []])
  })

  it("treats undefined members of a caller as null", async () => {
    const given = { organisationId: member().organisation.id, userId: undefined, apiKeyId: undefined }
    const { logged, status } = await asked(given)
    expect([status, logged]).toEqual([200, []])
  })

  it("limits a caller to its scopes, which /api/me shows", async () => {
    const given = { organisationId: member().organisation.id, scopes: ["portfolios:read"] }
    expect((await asked(given)).json.code).toBe("scope_missing")
    const me = await withOptions({ authenticate: () => given }, "GET /api/me")
    expect([me.status, me.json.scopes, me.json.apiKey]).toEqual([200, ["portfolios:read"], null])
  })

  it("limits a caller to its portfolios, which /api/me shows", async () => {
    const organisationId = member().organisation.id
    const whole = { organisationId, portfolioIds: null }
    expect((await withOptions({ authenticate: () => whole }, "POST /api/sites")).status).toBe(201)
    expect((await asked(whole)).json.data).not.toEqual([])
    const given = { organisationId, portfolioIds: [] }
    expect((await asked(given)).json.data).toEqual([])
    const me = await withOptions({ authenticate: () => given }, "GET /api/me")
    expect([me.status, me.json.portfolioIds]).toEqual([200, []])
  })

  it.each([
    [
      "portfolios that are none",
      { organisationId, portfolioIds: ["secret"] },
      "a caller that cannot be one (portfolioIds/0 must be a UUID)"
    ],
    [
      "an unknown scope",
      { organisationId, scopes: ["sites:reed"] },
      `a caller that cannot be one (scopes/0 must be ${known})`
    ],
    ["true", true, "a boolean instead of a caller"],
    ["text", "secret", "a string instead of a caller"],
    ["a promise of a number", Promise.resolve(17), "a number instead of a caller"],
    ["no organisation", {}, "a caller that cannot be one (organisationId must be a string)"],
    ["an id that is none", { organisationId: "secret" }, "a caller that cannot be one (organisationId must be a UUID)"],
    [
      "a number of a user",
      { organisationId, userId: 17 },
      "a caller that cannot be one (userId must be a string or null)"
    ],
    [
      "nothing that fits",
      { organisationId: 17, userId: "", apiKeyId: "secret" },
      "a caller that cannot be one (organisationId must be a string, userId must not be empty, apiKeyId must be a UUID)"
    ]
  ])("logs what its authentication has to give instead of %s", async (_, given, what) => {
    const { json, logged, status } = await asked(given)
    expect([status, json.code, logged.length]).toEqual([500, "internal", 1])
    expect(logged[0]).toMatch(/^authenticate gave /)
    expect(logged[0]).toContain(`authenticate gave ${what}; let it give { organisationId, userId }, or null`)
    expect(logged[0]).not.toMatch(/secret|17|\n/)
  })

  it("answers 500 when its authentication fails with a value that is no refusal, and logs it", async () => {
    const { json, logged, status } = await asked(Effect.fail(new Error("a bug of the host")))
    expect([status, json.code, logged.length]).toEqual([500, "internal", 1])
    expect(logged[0]).toContain("a bug of the host")
  })

  it.each<[string, HttpOptions["onRequest"]]>([
    [
      "throws",
      () => {
        throw new Error("a bug of the host")
      }
    ],
    ["rejects", async () => Promise.reject(new Error("a bug of the host"))]
  ])("answers as usual when its access log %s", async (_, onRequest) => {
    const { headers, json, logged, status } = await withOptions({ onRequest }, "POST /api/sites", member().key)
    expect([status, headers.get("location")]).toEqual([201, `/api/sites/${json.id}`])
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatch(/^onRequest failed; the request was answered .*a bug of the host/)
  })

  it.each(["/metrics", "/api/sites"])("says so when it fails to find an address: %s", async (path) => {
    const clientAddress = () => {
      throw new Error("a bug of the host")
    }
    const logged: Array<string> = []
    const logger = Logger.layer([Logger.make(({ cause }) => logged.push(`${cause}`))])
    const { close, base, send } = await bind(Layer.merge(setup().ports, logger), { clientAddress })
    const response = await send(new Request(`${base}${path}`, { headers: { "x-api-key": "wrong" } }))
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([500, "internal"])
    expect(logged).toEqual([expect.stringContaining("a bug of the host")])
    await close()
  })
})
