import { apiScopes } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { run, runJson } from "../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { type ServerInProcess, serve } from "../ServerInProcess.ts"
import { runJson as runJsonProcess, type Variables } from "../SolarSitesProcess.ts"

const someId = "0190a5c0-0000-7000-8000-000000000000"
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

interface Key {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly lastUsedAt: string | null
  readonly scopes: ReadonlyArray<string>
  readonly portfolioIds: ReadonlyArray<string> | null
  readonly key?: string
}

const schemas = ownSchemas()

// Concurrent, since most of the time is spent in waiting for caches to expire.
describe.skipIf(withoutPostgres).concurrent("the operator's commands", () => {
  let variables: Variables
  let server: ServerInProcess

  const organisations = async (...args: ReadonlyArray<string>): Promise<{ id: string; name: string; status: string }> =>
    Object(await runJson(["organisations", ...args], variables))
  const keys = async (...args: ReadonlyArray<string>): Promise<Key> =>
    Object(await runJson(["api-keys", ...args], variables))
  const newKey = (organisation: string, ...args: ReadonlyArray<string>) =>
    keys("create", "--organisation", organisation, "--name", "Test", ...args)

  /** Result of the key on the running server: `ok`, or the code of the problem. */
  const access = async ({ key = "" }: Key): Promise<string> => {
    const response = await fetch(`${server.address}/api/me`, { headers: { "x-api-key": key } })
    return response.ok ? "ok" : Object(await response.json()).code
  }

  /** Other servers apply a change within ten seconds, which `Instances.integration.test.ts` measures. */
  const untilAccess = (key: Key, expected: string) =>
    vi.waitFor(async () => expect(await access(key)).toBe(expected), { timeout: 100_000, interval: 250 })

  beforeAll(async () => {
    variables = schemas.next()
    server = await serve(variables, "apply")
  })

  afterAll(async () => {
    await server.stop()
    await schemas.drop()
  })

  it("create and list organisations", async () => {
    const create = ["organisations", "create", "--name", "  Größe & <b>Co</b>  "]
    const one = Object(await runJsonProcess(create, variables))
    expect(one).toEqual({ id: uuid, name: "Größe & <b>Co</b>", status: "active" })
    const other = await organisations("create", "--name", "Other")
    const { data } = Object(await organisations("list"))
    expect(data).toEqual(expect.arrayContaining([one, other]))
    const ids = data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(ids.toSorted())
  })

  it("create a valid key, and print it once", async () => {
    const { id } = await organisations("create", "--name", "Keys")
    const created = await newKey(id, "--user", "user-7", "--expires-in", "90d")
    const { key = "", ...rest } = created
    expect(rest).toEqual({
      id: uuid,
      name: "Test",
      prefix: key.slice(0, 14),
      createdAt: instant,
      expiresAt: instant,
      lastUsedAt: null,
      scopes: apiScopes,
      portfolioIds: null
    })
    expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(90 * 86_400_000)
    expect(await keys("list", "--organisation", id)).toEqual({ data: [rest] })
    expect(await access(created)).toBe("ok")
    const response = await fetch(`${server.address}/api/me`, { headers: { "x-api-key": key } })
    expect(await response.json()).toMatchObject({ organisation: { id }, userId: "user-7" })
    const { stdout } = await run(["api-keys", "list", "--organisation", id], variables)
    expect(stdout).toMatch(
      /^ID +NAME +PREFIX +CREATED AT +EXPIRES AT +LAST USED AT +SCOPES +PORTFOLIOS\n.* all +all\n$/
    )
    expect(stdout).not.toContain(key)
  })

  it("create keys with scopes, which a rotation keeps", async () => {
    const { id } = await organisations("create", "--name", "Scopes")
    const scopes = ["sites:read", "documents:read"]
    const created = await newKey(id, "--scopes", scopes.join(","))
    expect(created.scopes).toEqual(scopes)
    const rotated = await keys("rotate", created.id)
    expect(rotated.scopes).toEqual(scopes)
    expect(Object(await keys("list", "--organisation", id)).data).toMatchObject([{ scopes }, { scopes }])
    for (const { key = "" } of [created, rotated]) {
      const ask = (path: string) => fetch(`${server.address}/api/${path}`, { headers: { "x-api-key": key } })
      expect(await (await ask("me")).json()).toMatchObject({ scopes, apiKey: { scopes } })
      expect((await ask("sites")).status).toBe(200)
      expect(await (await ask("portfolios")).json()).toMatchObject({
        code: "scope_missing",
        detail: "The caller lacks the scope portfolios:read."
      })
    }
  })

  it("create keys that are limited to portfolios, which a rotation keeps", async () => {
    const { id } = await organisations("create", "--name", "Limits")
    const [owner, foreign] = [await newKey(id), await newKey((await organisations("create", "--name", "Other")).id)]
    const portfolioOf = async ({ key = "" }: Key, name: string): Promise<string> => {
      const headers = { "x-api-key": key, "content-type": "application/json" }
      const body = JSON.stringify({ portfolios: [{ name }] })
      const response = await fetch(`${server.address}/api/portfolios`, { method: "POST", headers, body })
      return Object(await response.json()).data[0].id
    }
    const [north, south] = [await portfolioOf(owner, "North"), await portfolioOf(owner, "South")]
    await portfolioOf(owner, "West")
    const limited = await newKey(id, "--portfolio", south, "--portfolio", north.toUpperCase())
    expect(limited.portfolioIds).toEqual([south, north])
    const rotated = await keys("rotate", limited.id)
    expect(rotated.portfolioIds).toEqual([south, north])
    const headers = { "x-api-key": rotated.key ?? "" }
    const { data } = Object(await (await fetch(`${server.address}/api/portfolios`, { headers })).json())
    expect(data.map((portfolio: { id: string }) => portfolio.id)).toEqual([north, south])
    expect(await (await fetch(`${server.address}/api/me`, { headers })).json()).toMatchObject({
      portfolioIds: [south, north],
      apiKey: { portfolioIds: [south, north] }
    })

    const create = ["api-keys", "create", "--organisation", id, "--name", "Test"]
    for (const absent of [await portfolioOf(foreign, "Theirs"), someId]) {
      const { code, stderr, stdout } = await run([...create, "--portfolio", absent], variables)
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toContain(`The organisation has no portfolio with the id ${absent}.`)
    }
    for (const wrong of [["north"], [north, north], Array.from({ length: 51 }, () => north)]) {
      const repeated = wrong.flatMap((portfolio) => ["--portfolio", portfolio])
      const { code, stderr } = await run([...create, ...repeated], variables)
      expect(code).not.toBe(0)
      expect(stderr).toContain("--portfolio")
    }
    const { data: listed } = Object(await runJson(["api-keys", "list", "--organisation", id], variables))
    expect(listed.map(({ portfolioIds }: Key) => portfolioIds)).toEqual([null, [south, north], [south, north]])
    const { stdout: table } = await run(["api-keys", "list", "--organisation", id], variables)
    expect(table).toContain(`${south}, ${north}`)
    expect((await run(["api-keys", "create", "--help"], variables)).stdout).toContain("--portfolio")
  })

  it("create keys with a lifetime of 365 days by default, or of one second", async () => {
    const { id } = await organisations("create", "--name", "Lives")
    const long = await newKey(id)
    expect(Date.parse(long.expiresAt) - Date.parse(long.createdAt)).toBe(365 * 86_400_000)
    await untilAccess(await newKey(id, "--expires-in", "1s"), "api_key_expired")
  })

  it("end a key by deletion, by rotation, and while its organisation is inactive", async () => {
    const open = await organisations("create", "--name", "Open")
    const closed = await organisations("create", "--name", "Closed")
    const reopened = await organisations("create", "--name", "Reopened")
    const [deleted, rotated, overlapped, closing, reopening] = await Promise.all([
      newKey(open.id),
      newKey(open.id, "--user", "user-8"),
      newKey(open.id),
      newKey(closed.id),
      newKey(reopened.id)
    ])
    for (const key of [deleted, rotated, overlapped, closing]) expect(await access(key)).toBe("ok")

    const { key: _, lastUsedAt: __, ...shown } = deleted
    expect(await keys("delete", deleted.id)).toMatchObject(shown)
    const replacement = await keys("rotate", rotated.id, "--overlap", "0s")
    expect(replacement).toMatchObject({ id: uuid, name: "Test", key: expect.any(String) })
    const successor = await keys("rotate", overlapped.id)
    expect(await organisations("deactivate", closed.id)).toEqual({ ...closed, status: "inactive" })
    await organisations("deactivate", reopened.id)
    expect(await access(reopening)).toBe("organisation_inactive")
    expect(await organisations("activate", reopened.id)).toEqual(reopened)

    await Promise.all([
      untilAccess(deleted, "api_key_invalid"),
      untilAccess(rotated, "api_key_expired"),
      untilAccess(closing, "organisation_inactive"),
      untilAccess(reopening, "ok")
    ])
    for (const key of [overlapped, replacement, successor]) expect(await access(key)).toBe("ok")
    const me = await fetch(`${server.address}/api/me`, { headers: { "x-api-key": replacement.key ?? "" } })
    expect(await me.json()).toMatchObject({ userId: "user-8" })
  })

  it("report unknown ids in one message, without standard output", async () => {
    const missingOrganisation = `There is no organisation with the id ${someId}.\n`
    const missingKey = `There is no API key with the id ${someId}.\n`
    for (const [args, stderr] of [
      [["organisations", "deactivate", someId.toUpperCase()], missingOrganisation],
      [["api-keys", "create", "--organisation", someId, "--name", "x"], missingOrganisation],
      [["api-keys", "list", "--organisation", someId], missingOrganisation],
      [["api-keys", "delete", someId], missingKey],
      [["api-keys", "rotate", someId], missingKey]
    ] as const) {
      expect(await run([...args, "--json"], variables)).toEqual({ code: 1, signal: null, stdout: "", stderr })
    }
  })
})
