import { join } from "node:path"
import { apiScopes, type OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { activeTime } from "../../../../scripts/activeTime.ts"
import { scopesOf } from "../../src/accounts/people/Role.ts"
import type { User } from "../../src/accounts/people/User.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { migratedAt } from "../Prepared.ts"
import { withoutRedis } from "../ServiceProxy.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const schemas = ownSchemas()
const unknownId = "0190a5c0-0000-7000-8000-000000000000"
let folder: Awaited<ReturnType<typeof temporaryFolder>>

const databases: ReadonlyArray<readonly [string, boolean, () => Promise<Variables>]> = [
  ["an embedded database", false, () => migratedAt(join(folder.path, "data"))],
  ["a Postgres server", withoutPostgres, async () => ({ ...schemas.next(), DATA_DIR: folder.path })]
]

beforeAll(async () => {
  folder = await temporaryFolder()
})

afterAll(async () => {
  await schemas.drop()
  await folder[Symbol.asyncDispose]()
})

describe.each(databases)("the users of an organisation on %s", (_, isMissing, variables) => {
  describe.skipIf(isMissing)("that is available", () => {
    let instance: ConsoleInstance
    let organisationId: OrganisationId
    let owner: User
    let ada: Browser

    beforeAll(async () => {
      instance = await consoleInstance(await variables())
      organisationId = await instance.newOrganisation()
      owner = await instance.newUser(organisationId, "owner")
      ada = await instance.loggedIn(owner)
    })

    afterAll(() => instance.close())

    const documentOf = ({ email, id, name, role }: User) => ({
      ...{ id, email, name, role },
      createdAt: expect.any(String),
      portfolioIds: null,
      secondFactor: false,
      lastLoginAt: null
    })
    const loggedIn = { lastLoginAt: expect.any(String) }

    it("are listed oldest first, for every role", async () => {
      const organisationId = await instance.newOrganisation()
      const owner = await instance.newUser(organisationId, "owner")
      await instance.loggedIn(owner)
      const viewer = await instance.newUser(organisationId, "viewer")
      const { json, text } = await (await instance.loggedIn(viewer)).send("GET /console/users")
      expect(json).toEqual({ data: [owner, viewer].map((user) => ({ ...documentOf(user), ...loggedIn })) })
      expect(text).not.toMatch(/argon2|password|organisationId/)
      const stranger = await instance.newUser(await instance.newOrganisation(), "owner")
      const { json: other } = await (await instance.loggedIn(stranger)).send("GET /console/users")
      expect(other).toEqual({ data: [{ ...documentOf(stranger), ...loggedIn }] })
    })

    it("get another role and name, which hold from the next request on", async () => {
      const user = await instance.newUser(organisationId, "viewer")
      const browser = await instance.loggedIn(user)
      const create = async () =>
        (await browser.send("POST /console/api/portfolios", { body: [{ name: "South" }] })).outcome
      expect(await create()).toBe("scope_missing")
      const body = { role: "member", name: " Grace Hopper " }
      const changed = await ada.send(`PUT /console/users/${user.id}`, { body })
      const expected = { ...documentOf(user), role: "member", name: "Grace Hopper", ...loggedIn }
      expect([changed.status, changed.json]).toEqual([200, expected])
      expect(await create()).toBe(201)
      expect((await ada.send(`PUT /console/users/${user.id}`, { body })).json).toEqual(expected)
      const { json } = await ada.send(`GET /console/api/events?subjectId=${user.id}&type=user.updated`)
      expect(json["data"]).toMatchObject([
        {
          type: "user.updated",
          actor: { userId: owner.id },
          changes: { role: { from: "viewer", to: "member" }, name: { from: "viewer", to: "Grace Hopper" } }
        }
      ])
    })

    it("have their last login, however it ended, and null before the first", async () => {
      const user = await instance.newUser(organisationId, "viewer")
      const lastLogin = async (): Promise<unknown> => {
        const { data } = (await ada.send("GET /console/users")).json as { data: ReadonlyArray<{ id: string }> }
        return data.find(({ id }) => id === user.id)
      }
      expect(await lastLogin()).toEqual(documentOf(user))
      const before = Date.now()
      const browser = await instance.loggedIn(user)
      await browser.send("DELETE /console/session")
      const { lastLoginAt } = (await lastLogin()) as { lastLoginAt: string }
      expect(Date.parse(lastLoginAt)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(lastLoginAt)).toBeLessThanOrEqual(Date.now())
    })

    it("are deleted with their sessions and keys", async () => {
      const user = await instance.newUser(organisationId, "admin")
      const browser = await instance.loggedIn(user)
      const { json: key } = await browser.send("POST /console/api-keys", { body: { name: "Reporting" } })
      const headers = { "x-api-key": String(key["key"]) }
      const me = () => instance.visitor().send("GET /api/me", { headers })
      expect((await me()).status).toBe(200)
      const removed = await ada.send(`DELETE /console/users/${user.id}`)
      expect([removed.status, removed.text]).toEqual([204, ""])
      expect((await browser.send("GET /console/session")).outcome).toBe("session_missing")
      const [gone, unknown] = [
        await me(),
        await instance.visitor().send("GET /api/me", { headers: { "x-api-key": "no key at all" } })
      ]
      const answerOf = ({ headers, text }: typeof gone) => text.replace(headers.get("x-request-id") ?? "", "")
      expect([gone.outcome, answerOf(gone)]).toEqual(["api_key_invalid", answerOf(unknown)])
      expect(JSON.stringify((await ada.send("GET /console/api-keys")).json)).not.toContain(key["id"])
      const { json } = await ada.send("GET /console/api/events?limit=2&order=desc")
      expect(json["data"]).toMatchObject([
        { type: "api_key.deleted", subject: { id: key["id"] }, actor: { userId: owner.id } },
        { type: "user.deleted", subject: { id: user.id }, actor: { userId: owner.id } }
      ])
      expect((await ada.send(`DELETE /console/users/${user.id}`)).outcome).toBe("user_not_found")
    })

    it("are not found with an unknown or malformed id, or one of another organisation", async () => {
      const stranger = await instance.newUser(await instance.newOrganisation(), "owner")
      for (const line of ["PUT /console/users/ID", "DELETE /console/users/ID"]) {
        const body = line.startsWith("PUT") ? { body: { role: "viewer" } } : {}
        const answers = []
        for (const id of [stranger.id, unknownId, "17"]) {
          const { headers, status, text } = await ada.send(line.replace("ID", id), body)
          answers.push([status, text.replace(headers.get("x-request-id") ?? "none", "")])
        }
        expect([line, ...answers]).toEqual([line, ...Array(3).fill([404, expect.stringContaining("user_not_found")])])
        expect(new Set(answers.map(String)).size).toBe(1)
      }
    })

    it("keep an owner", async () => {
      const body = { role: "admin" }
      const refused = await ada.send(`PUT /console/users/${owner.id}`, { body })
      expect([refused.status, refused.outcome]).toEqual([409, "last_owner"])
      expect((await ada.send(`DELETE /console/users/${owner.id}`)).outcome).toBe("last_owner")
      const second = await instance.newUser(organisationId, "owner")
      expect((await ada.send(`DELETE /console/users/${second.id}`)).status).toBe(204)
    })

    it("name the role that a refused change needs", async () => {
      const [admin, member] = [
        await instance.newUser(organisationId, "admin"),
        await instance.newUser(organisationId, "member")
      ]
      const [adam, mia] = [await instance.loggedIn(admin), await instance.loggedIn(member)]
      for (const [browser, id, role, needed] of [
        [adam, owner.id, "viewer", "owner"],
        [adam, member.id, "owner", "owner"],
        [adam, admin.id, "owner", "owner"],
        [mia, admin.id, "viewer", "admin"],
        [mia, member.id, "admin", "admin"],
        [mia, member.id, "owner", "owner"]
      ] as const) {
        const { json, outcome, status } = await browser.send(`PUT /console/users/${id}`, { body: { role } })
        expect([id, role, status, outcome]).toEqual([id, role, 403, "role_insufficient"])
        expect(json["detail"]).toContain(`the role ${needed}.`)
      }
      expect((await adam.send(`PUT /console/users/${member.id}`, { body: { role: "viewer" } })).status).toBe(200)
    })

    it("are refused by the role before the body is read, except for the own account", async () => {
      const member = await instance.newUser(organisationId, "member")
      const mia = await instance.loggedIn(member)
      const body = { role: "boss" }
      const outcomes = [owner.id, member.id, member.id.toUpperCase()].map(async (id) => {
        const { outcome } = await mia.send(`PUT /console/users/${id}`, { body })
        return outcome
      })
      expect(await Promise.all(outcomes)).toEqual(["role_insufficient", "validation_failed", "validation_failed"])
      const malformed = await mia.send("PUT /console/users/nobody", { body })
      expect(malformed.outcome).toBe("user_not_found")
    })

    it("are not changed by invalid input; all faults are reported", async () => {
      for (const [body, pointers] of [
        [{ role: "boss", name: " " }, ["/role", "/name"]],
        [{ role: null }, ["/role"]],
        [{ email: "new@example.com" }, ["/email"]]
      ] as const) {
        const { json, outcome } = await ada.send(`PUT /console/users/${owner.id}`, { body })
        const found = Object(json["errors"]).map(({ pointer }: { pointer: string }) => pointer)
        expect([body, outcome, found]).toEqual([body, "validation_failed", pointers])
      }
    })
  })
})

describe.skipIf(withoutPostgres || withoutRedis)("keys of a user on two servers with one Redis", () => {
  let instances: ReadonlyArray<ConsoleInstance> = []

  beforeAll(async () => {
    const variables = { ...schemas.next(), DATA_DIR: folder.path, REDIS_URL: inject("redis").url ?? "" }
    // One after the other: the first applies the migrations.
    instances = [await consoleInstance(variables), await consoleInstance(variables)]
  })

  afterAll(() => Promise.all(instances.map(({ close }) => close())))

  it("lose scopes with the role, and end with the user: at once here, within a second there", async () => {
    const [here, there] = instances
    if (here === undefined || there === undefined) throw new Error("two instances are needed")
    const organisationId = await here.newOrganisation()
    const ada = await here.loggedIn(await here.newUser(organisationId, "owner"))
    const user = await here.newUser(organisationId, "admin")
    const { json } = await (await here.loggedIn(user)).send("POST /console/api-keys", { body: { name: "Reporting" } })
    const headers = { "x-api-key": String(json["key"]) }
    const read = (instance: ConsoleInstance) => instance.visitor().send("GET /api/me", { headers })
    const scopesOn = async (instance: ConsoleInstance) => {
      const { json, outcome } = await read(instance)
      return outcome === 200 ? json["scopes"] : outcome
    }
    expect([await scopesOn(here), await scopesOn(there)]).toEqual([apiScopes, apiScopes])

    const changeTo = async (expected: unknown, line: string, body?: unknown) => {
      expect((await ada.send(line, { body })).status).toBeLessThan(300)
      using since = activeTime()
      expect(await scopesOn(here)).toEqual(expected)
      while (JSON.stringify(await scopesOn(there)) !== JSON.stringify(expected)) {
        expect(since.millis()).toBeLessThan(1_000)
      }
    }
    await changeTo(scopesOf("viewer"), `PUT /console/users/${user.id}`, { role: "viewer" })
    const site = { siteName: "Long Meadow", capacity: 1, unit: "kWp" }
    expect((await there.visitor().send("POST /api/sites", { headers, body: site })).outcome).toBe("scope_missing")
    await changeTo(scopesOf("member"), `PUT /console/users/${user.id}`, { role: "member" })
    await changeTo("api_key_invalid", `DELETE /console/users/${user.id}`)
  })
})
