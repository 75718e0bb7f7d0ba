import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { activeTime } from "../../../../scripts/activeTime.ts"
import { word } from "../accounts/AccountsSetup.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { withoutRedis } from "../ServiceProxy.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"
import { consoleDatabases } from "./ConsoleSetup.ts"
import {
  answerTo,
  idsOf,
  invite,
  type LimitedSetup,
  limitedSetup,
  one,
  portfolioOf,
  siteIn,
  unknownId
} from "./LimitedSetup.ts"

const { each, remove } = consoleDatabases()

afterAll(remove)

describe.each(each)("sessions and keys of limited users on $name", ({ isMissing, variables }) => {
  describe.skipIf(isMissing)("that is available", () => {
    let instance: LimitedSetup["instance"]
    let setup: LimitedSetup

    beforeAll(async () => {
      setup = await limitedSetup(await variables())
      instance = setup.instance
    })

    afterAll(() => instance.close())

    it("see what is outside as they see what is foreign or absent, byte for byte", async () => {
      const { ada, north, south, foreign, limited } = setup
      const outside = await siteIn(ada, south)
      const { browser } = await limited("member", north)
      const inside = await siteIn(browser, north)
      const stranger = await instance.newUser(await instance.newOrganisation(), "owner")
      const other = await instance.loggedIn(stranger)
      const foreignSite = await siteIn(other, await portfolioOf(other, "Other"))
      for (const [line, status, body, ids] of [
        ["GET /console/api/sites/ID", 404, undefined, [outside, foreignSite]],
        ["PUT /console/api/sites/ID", 404, { siteName: "Mine" }, [outside, foreignSite]],
        ["DELETE /console/api/sites/ID", 404, undefined, [outside, foreignSite]],
        ["GET /console/api/sites/ID/documents", 404, undefined, [outside, foreignSite]],
        ["GET /console/api/sites/ID/coverage", 404, undefined, [outside, foreignSite]],
        ["GET /console/api/portfolios/ID", 404, undefined, [south, foreign]],
        ["GET /console/coverage?siteId=ID", 200, undefined, [outside, foreignSite]],
        ["GET /console/api/sites?portfolioId=ID", 200, undefined, [south, foreign]],
        ["GET /console/api/events?siteId=ID", 200, undefined, [outside, foreignSite]],
        ["GET /console/sites?health=missing&portfolioId=ID", 200, undefined, [south, foreign]],
        ["GET /console/sites/csv?portfolioId=ID", 200, undefined, [south, foreign]],
        ["GET /console/sites/clusters?portfolioId=ID", 200, undefined, [south, foreign]],
        ["GET /console/sites/clusters?siteId=ID", 200, undefined, [outside, foreignSite]]
      ] as const) {
        const answerOf = async (id: string) =>
          answerTo(id, await browser.send(line.replace("ID", id), body === undefined ? {} : { body }))
        const absent = await answerOf(unknownId)
        expect([line, absent[0]]).toEqual([line, status])
        for (const id of ids) expect([line, ...(await answerOf(id))]).toEqual([line, ...absent])
      }
      const tagged = async (...siteIds: ReadonlyArray<string>) =>
        (await browser.send("POST /console/sites/tags", { body: { siteIds, add: ["mine"], remove: [] } })).json
      const missing = [outside, foreignSite, unknownId]
      expect(await tagged(inside, ...missing)).toEqual({ missing, full: [] })
      expect((await browser.send(`GET /console/api/sites/${inside}`)).json["tags"]).toEqual(["mine"])
      expect((await ada.send(`GET /console/api/sites/${outside}`)).json["tags"]).toEqual([])
      expect((await other.send(`GET /console/api/sites/${foreignSite}`)).json["tags"]).toEqual([])
      const moved = (portfolioId: string) => browser.send(`PUT /console/api/sites/${inside}`, { body: { portfolioId } })
      const absent = answerTo(unknownId, await moved(unknownId))
      expect(absent[0]).toBe(404)
      for (const id of [south, foreign]) expect(answerTo(id, await moved(id))).toEqual(absent)
      expect(idsOf(await browser.send("GET /console/api/portfolios"))).toEqual([north])
      const sites = idsOf(await browser.send("GET /console/api/sites"))
      expect(sites).toContain(inside)
      expect(sites).not.toContain(outside)
      const [found, counted] = [
        await browser.send("GET /console/sites"),
        await browser.send("GET /console/sites/clusters")
      ]
      expect(idsOf(found).toSorted()).toEqual(sites.toSorted())
      expect(counted.json["unplaced"]).toMatchObject({ count: sites.length })
      expect(idsOf(await browser.send("GET /console/sites?portfolioId=none"))).toEqual([])
      expect((await ada.send(`GET /console/api/sites/${outside}`)).json["siteName"]).toBe(one.siteName)
      for (const line of ["GET /console/organisation", "GET /console/organisation/use", "GET /console/api/webhooks"]) {
        expect([line, (await (await limited("admin", north)).browser.send(line)).outcome]).toEqual([
          line,
          "caller_limited"
        ])
      }
    })

    it("have keys that are limited from the change on", async () => {
      const { organisationId, ada, north, south, change } = setup
      const outside = await siteIn(ada, south)
      const admin = await instance.newUser(organisationId, "admin")
      const browser = await instance.loggedIn(admin)
      const made = await browser.send("POST /console/api-keys", { body: { name: "Whole" } })
      const headers = { "x-api-key": String(made.json["key"]) }
      const read = async () => (await instance.visitor().send(`GET /api/sites/${outside}`, { headers })).outcome
      expect(await read()).toBe(200)
      await change(admin.id, { portfolioIds: [north] })
      expect(await read()).toBe("site_not_found")
      expect((await instance.visitor().send("GET /api/me", { headers })).json["portfolioIds"]).toEqual([north])
      await change(admin.id, { portfolioIds: null })
      expect(await read()).toBe(200)
    })

    it("leave no invitation that gives more, when they are limited while they invite", async () => {
      const { organisationId, ada, north, change } = setup
      for (let round = 0; round < 6; round++) {
        const admin = await instance.newUser(organisationId, "admin")
        const browser = await instance.loggedIn(admin)
        const [invited, changed] = await Promise.all([invite(browser), change(admin.id, { portfolioIds: [north] })])
        expect(changed.status).toBe(200)
        if (invited.status !== 201) continue
        const open = Object((await ada.send("GET /console/invitations")).json["data"])
        const mine = open.filter(({ id }: { readonly id: string }) => id === invited.json["id"])
        for (const { portfolioIds } of mine) expect(portfolioIds).toEqual([north])
      }
    })

    it("are made by invitations until the inviter is limited, also by those that are accepted meanwhile", async () => {
      const { organisationId, north, change } = setup
      const prepared = async () => {
        const admin = await instance.newUser(organisationId, "admin")
        const invited = await invite(await instance.loggedIn(admin))
        const body = { token: String(invited.json["link"]).split("#")[1], name: "Invited", password: word }
        return {
          accept: async () => (await instance.visitor().send("POST /console/invitations/accept", { body })).outcome,
          limit: async () => (await change(admin.id, { portfolioIds: [north] })).outcome
        }
      }
      const [before, after] = [await prepared(), await prepared()]
      expect([await before.accept(), await before.limit()]).toEqual([201, 200])
      expect([await after.limit(), await after.accept()]).toEqual([200, "link_invalid"])
      for (let round = 0; round < 4; round++) {
        const { accept, limit } = await prepared()
        const [accepted, changed] = await Promise.all([accept(), limit()])
        expect([changed, [201, "link_invalid"]]).toEqual([200, expect.arrayContaining([accepted])])
        expect(await accept()).toBe("link_invalid")
      }
    })

    it("are never all owners, when two are limited and lowered at the same time", async () => {
      const { change } = setup
      const organisation = await instance.newOrganisation()
      const owners = [await instance.newUser(organisation, "owner"), await instance.newUser(organisation, "owner")]
      const browsers = await Promise.all(owners.map(instance.loggedIn))
      const portfolio = await portfolioOf(browsers[0] as Browser, "Only")
      const body = { role: "viewer", portfolioIds: [portfolio] }
      const outcomes = await Promise.all(
        browsers.map(async (by, index) => (await change(owners[1 - index]?.id ?? "", body, by)).outcome)
      )
      expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1)
      const statuses = await Promise.all(browsers.map((by) => by.send("GET /console/session")))
      const users = statuses.map(({ json }) => Object(json["user"]))
      expect(users.map(({ role }) => role).sort()).toEqual(["owner", "viewer"])
      expect(users.find(({ role }) => role === "owner").portfolioIds).toBe(null)
    })
  })
})

it.skipIf(withoutPostgres || withoutRedis)(
  "keys of a user are limited with it: at once here, within a second on another server with the same Redis",
  async ({ onTestFinished }) => {
    const schemas = ownSchemas()
    const folder = await temporaryFolder()
    const variables = { ...schemas.next(), DATA_DIR: folder.path, REDIS_URL: inject("redis").url ?? "" }
    const { ada, change, instance: here, north, organisationId, south } = await limitedSetup(variables)
    const there = await consoleInstance(variables)
    onTestFinished(async () => {
      await Promise.all([here.close(), there.close()])
      await schemas.drop()
      await folder[Symbol.asyncDispose]()
    })
    const outside = await siteIn(ada, south)
    const user = await here.newUser(organisationId, "admin")
    const browser = await here.loggedIn(user)
    const made = await browser.send("POST /console/api-keys", { body: { name: "Whole" } })
    const headers = { "x-api-key": String(made.json["key"]) }
    const readOn = async (instance: ConsoleInstance) =>
      (await instance.visitor().send(`GET /api/sites/${outside}`, { headers })).outcome
    expect([await readOn(here), await readOn(there)]).toEqual([200, 200])
    for (const [portfolioIds, expected] of [
      [[north], "site_not_found"],
      [[north, south], 200],
      [[north], "site_not_found"]
    ] as const) {
      expect((await change(user.id, { portfolioIds })).status).toBe(200)
      using since = activeTime()
      expect(await readOn(here)).toBe(expected)
      expect((await browser.send(`GET /console/api/sites/${outside}`)).outcome).toBe(expected)
      while ((await readOn(there)) !== expected) expect(since.millis()).toBeLessThan(1_000)
    }
  }
)
