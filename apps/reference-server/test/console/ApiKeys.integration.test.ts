import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Browser } from "./Browser.ts"
import { type ConsoleSetup, consoleDatabases, consoleSetup } from "./ConsoleSetup.ts"

const { each, remove } = consoleDatabases()

const day = 86_400_000

afterAll(remove)

describe.each(each)("the keys in the company profile on $name", ({ isMissing, variables }) => {
  describe.skipIf(isMissing)("that is available", () => {
    let setup: ConsoleSetup
    let ada: Browser

    /** Result of the key on the API: `ok`, or the code of the problem. */
    const access = async (key: unknown): Promise<string> => {
      const response = await fetch(`${setup.address}/api/me`, { headers: { "x-api-key": String(key) } })
      return response.ok ? "ok" : Object(await response.json()).code
    }

    const make = async (body: unknown = { name: "Reporting" }) => {
      const { json, status } = await ada.send("POST /console/api-keys", { body })
      expect(status).toBe(201)
      return json
    }

    const listed = async () => Object((await ada.send("GET /console/api-keys")).json["data"])

    beforeAll(async () => {
      setup = await consoleSetup(await variables(), { RATE_LIMIT_PER_MINUTE: "0" })
      ada = await setup.loggedIn(setup.ada)
    })

    afterAll(() => setup.close())

    it("are created by the user of the session, and returned once", async () => {
      const { key, ...shown } = await make({ name: "  Größe & <b>Co</b> ", expiresInDays: 30 })
      expect(shown).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: "Größe & <b>Co</b>",
        prefix: String(key).slice(0, 14),
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastUsedAt: null,
        scopes: expect.arrayContaining(["sites:read", "requirements:write"]),
        portfolioIds: null,
        createdBy: setup.ada.id
      })
      const lifeOf = ({ createdAt, expiresAt }: Readonly<Record<string, unknown>>) =>
        (Date.parse(String(expiresAt)) - Date.parse(String(createdAt))) / day
      const unsaid = [await make(), await make({ name: "x", expiresInDays: null })]
      expect([shown, ...unsaid].map(lifeOf)).toEqual([30, 365, 365])
      expect(await access(key)).toBe("ok")
      const response = await fetch(`${setup.address}/api/me`, { headers: { "x-api-key": String(key) } })
      expect(await response.json()).toMatchObject({ userId: setup.ada.id })
      expect(await listed()).toContainEqual({ ...shown, lastUsedAt: null })
      expect(JSON.stringify(await listed())).not.toContain(key)
    })

    it("have the given scopes, by default all", async () => {
      const scopes = ["documents:read", "sites:read"]
      const { key, ...shown } = await make({ name: "Reading", scopes })
      expect(shown["scopes"]).toEqual(scopes)
      const headers = { "x-api-key": String(key) }
      expect((await ada.send("GET /api/me", { headers })).json["scopes"]).toEqual(scopes)
      expect((await ada.send("GET /api/portfolios", { headers })).outcome).toBe("scope_missing")
      expect((await make({ name: "Everything", scopes: null }))["scopes"]).toContain("requirements:write")
    })

    it("are limited to the given portfolios, by default to none", async () => {
      const portfolioOf = async (key: string) => {
        const headers = { "x-api-key": key, "content-type": "application/json" }
        const body = JSON.stringify({ portfolios: [{ name: "North" }] })
        const response = await fetch(`${setup.address}/api/portfolios`, { method: "POST", headers, body })
        return Object(await response.json()).data[0].id
      }
      const portfolioIds = [await portfolioOf(setup.ada.key)]
      const { key, ...shown } = await make({ name: "Insurer", portfolioIds })
      expect(shown["portfolioIds"]).toEqual(portfolioIds)
      expect(await listed()).toContainEqual(expect.objectContaining({ id: shown["id"], portfolioIds }))
      const headers = { "x-api-key": String(key) }
      const response = await fetch(`${setup.address}/api/me`, { headers })
      expect(await response.json()).toMatchObject({ portfolioIds, apiKey: { portfolioIds } })
      expect((await make({ name: "Everything", portfolioIds: null }))["portfolioIds"]).toBe(null)
      for (const absent of [await portfolioOf(setup.bob.key), "01890000-0000-7000-8000-000000000000"]) {
        const body = { name: "Insurer", portfolioIds: [absent] }
        expect((await ada.send("POST /console/api-keys", { body })).outcome).toBe("portfolio_not_found")
      }
    })

    it("are those of the organisation only", async () => {
      const keys: ReadonlyArray<{ id: string; createdBy: string | null }> = await listed()
      expect(keys[0]).toMatchObject({ createdBy: null, prefix: setup.ada.key.slice(0, 14) })
      expect(JSON.stringify(keys)).not.toContain(setup.bob.key.slice(0, 14))
    })

    it("are refused after their deletion", async () => {
      const { id, key } = await make()
      expect(await access(key)).toBe("ok")
      expect((await ada.send(`DELETE /console/api-keys/${id}`)).status).toBe(204)
      expect(await access(key)).toBe("api_key_invalid")
      expect((await ada.send(`DELETE /console/api-keys/${id}`)).outcome).toBe("api_key_not_found")
    })

    it("are at most 100 live ones; one can be rotated without overlap", async () => {
      const carl = await setup.loggedIn(setup.bob)
      const create = () => carl.send("POST /console/api-keys", { body: { name: "x" } })
      const before = Object((await carl.send("GET /console/api-keys")).json["data"])
      const made: Array<Awaited<ReturnType<typeof create>>> = []
      // Few at a time, so that the server does not shed load.
      while (made.length < 100 - before.length) {
        const length = Math.min(25, 100 - before.length - made.length)
        made.push(...(await Promise.all(Array.from({ length }, create))))
      }
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
      const refused = await create()
      expect([refused.status, refused.outcome]).toEqual([409, "too_many_keys"])
      const rotate = (overlap: string) =>
        carl.send(`POST /console/api-keys/${made[0]?.json["id"]}/rotate`, { body: { overlap } })
      expect((await rotate("1s")).outcome).toBe("too_many_keys")
      expect((await rotate("0s")).status).toBe(201)
    })

    it("are rotated, with or without overlap", async () => {
      for (const [body, before] of [
        [{ overlap: "0s" }, "api_key_expired"],
        [{ overlap: null }, "ok"],
        [{ overlap: "24h" }, "ok"],
        [{}, "ok"]
      ] as const) {
        const old = await make()
        expect(await access(old["key"])).toBe("ok")
        const { json, status } = await ada.send(`POST /console/api-keys/${old["id"]}/rotate`, { body })
        expect([status, json["name"], json["createdBy"]]).toEqual([201, "Reporting", setup.ada.id])
        expect([body, await access(old["key"]), await access(json["key"])]).toEqual([body, before, "ok"])
      }
    })

    it("are not created from invalid input; all faults are reported", async () => {
      const before = await listed()
      for (const [body, pointers] of [
        [{}, ["/name"]],
        [{ name: " ", expiresInDays: 0 }, ["/name", "/expiresInDays"]],
        [{ name: "x", expiresInDays: 3_651 }, ["/expiresInDays"]],
        [{ name: "x", expiresInDays: "30" }, ["/expiresInDays"]],
        [{ name: "x", expiresInDays: 1.5 }, ["/expiresInDays"]],
        [{ name: "x", scopes: [] }, ["/scopes"]],
        [{ name: "x", scopes: ["sites:read", "sites:raed"] }, ["/scopes/1"]],
        [{ name: "x", portfolioIds: [] }, ["/portfolioIds"]],
        [{ name: "x", portfolioIds: ["north", setup.ada.id, setup.ada.id] }, ["/portfolioIds/0", "/portfolioIds/2"]],
        [{ name: "a\u202eb" }, ["/name"]],
        [{ name: "x", userId: setup.bob.id }, ["/userId"]],
        [{ name: "x", organisationId: setup.bob.organisationId }, ["/organisationId"]]
      ] as const) {
        const { json, outcome } = await ada.send("POST /console/api-keys", { body })
        const found = Object(json["errors"]).map(({ pointer }: { pointer: string }) => pointer)
        expect([body, outcome, found]).toEqual([body, "validation_failed", pointers])
      }
      const [{ id }] = before
      for (const overlap of ["-1s", "soon", 5]) {
        const { outcome } = await ada.send(`POST /console/api-keys/${id}/rotate`, { body: { overlap } })
        expect([overlap, outcome]).toEqual([overlap, "validation_failed"])
      }
      expect(await listed()).toEqual(before)
    })
  })
})
