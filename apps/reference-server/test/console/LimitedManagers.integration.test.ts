import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { consoleDatabases } from "./ConsoleSetup.ts"
import { answerTo, idsOf, invite, type LimitedSetup, limitedSetup, unknownId } from "./LimitedSetup.ts"

const { each, remove } = consoleDatabases()

afterAll(remove)

describe.each(each)("users and their limits on $name", ({ isMissing, variables }) => {
  describe.skipIf(isMissing)("that is available", () => {
    let instance: LimitedSetup["instance"]
    let setup: LimitedSetup

    beforeAll(async () => {
      setup = await limitedSetup(await variables())
      instance = setup.instance
    })

    afterAll(() => instance.close())

    it("are refused limits in the order of the specification, and stay as they were", async () => {
      const { organisationId, owner, ada, north, foreign, change, limited } = setup
      const user = await instance.newUser(organisationId, "viewer")
      const many = Array.from({ length: 51 }, () => crypto.randomUUID())
      for (const [portfolioIds, pointer] of [
        [[], "/portfolioIds"],
        ["north", "/portfolioIds"],
        [["north"], "/portfolioIds/0"],
        [[north, north.toUpperCase()], "/portfolioIds/1"],
        [many, "/portfolioIds"]
      ] as const) {
        for (const refused of [await change(user.id, { portfolioIds }), await invite(ada, { portfolioIds })]) {
          expect([portfolioIds, refused.status, refused.outcome]).toEqual([portfolioIds, 400, "validation_failed"])
          expect(refused.json["errors"]).toMatchObject([{ pointer }])
        }
      }
      for (const absent of [foreign, unknownId]) {
        const portfolioIds = [north, absent]
        expect((await change(user.id, { portfolioIds })).outcome).toBe("portfolio_not_found")
        expect((await invite(ada, { portfolioIds })).outcome).toBe("portfolio_not_found")
        expect((await change(owner.id, { portfolioIds })).outcome).toBe("portfolio_not_found")
        expect((await invite(ada, { role: "owner", portfolioIds })).outcome).toBe("portfolio_not_found")
      }
      expect((await change(owner.id, { portfolioIds: [north] })).outcome).toBe("owner_limited")
      expect((await invite(ada, { role: "owner", portfolioIds: [north] })).outcome).toBe("owner_limited")
      expect((await change(user.id, { role: "owner", portfolioIds: [north] })).outcome).toBe("owner_limited")
      expect((await change(user.id, {})).json["portfolioIds"]).toBe(null)
      const { id } = await limited("viewer", north)
      expect((await change(id, { role: "owner" })).outcome).toBe("owner_limited")
      const opened = await change(id, { role: "owner", portfolioIds: null })
      expect(opened.json).toMatchObject({ role: "owner", portfolioIds: null })
      expect((await change(unknownId, { portfolioIds: [north] })).outcome).toBe("user_not_found")
    })

    it("cannot change their own limit as members and viewers", async () => {
      const { north, south, change, limited } = setup
      for (const role of ["member", "viewer"] as const) {
        const { browser, id } = await limited(role, north)
        for (const portfolioIds of [[north], [south], null]) {
          expect((await change(id, { portfolioIds }, browser)).outcome).toBe("role_insufficient")
        }
        expect((await change(id, { name: "Own" }, browser)).json).toMatchObject({ name: "Own", portfolioIds: [north] })
      }
    })

    it("as admins give their own limit, and nothing that reaches more", async () => {
      const { north, south, foreign, change, limited } = setup
      const { browser, id } = await limited("admin", north)
      const invited = await invite(browser)
      expect([invited.status, invited.json["portfolioIds"]]).toEqual([201, [north]])
      expect((await invite(browser, { portfolioIds: [north] })).status).toBe(201)
      expect((await invite(browser, { portfolioIds: null })).outcome).toBe("caller_limited")
      expect((await change(id, { portfolioIds: null }, browser)).outcome).toBe("caller_limited")
      expect((await change(unknownId, { portfolioIds: null }, browser)).outcome).toBe("caller_limited")
      const makeKey = (limit: object, by = browser) =>
        by.send("POST /console/api-keys", { body: { name: "Key", ...limit } })
      const key = await makeKey({})
      expect([key.status, key.json["portfolioIds"]]).toEqual([201, [north]])
      expect((await makeKey({ portfolioIds: null })).outcome).toBe("caller_limited")
      for (const absent of [south, foreign, unknownId]) {
        const portfolioIds = [absent]
        const { id: member } = await limited("member", north)
        for (const refused of [
          await invite(browser, { portfolioIds }),
          await change(member, { portfolioIds }, browser),
          await makeKey({ portfolioIds })
        ]) {
          expect([refused.status, refused.outcome]).toEqual([404, "portfolio_not_found"])
        }
      }
    })

    it("as admins know no people, invitations and keys outside of their limit", async () => {
      const { organisationId, owner, ada, north, south, change, limited } = setup
      const { browser, id } = await limited("admin", north)
      const within = await limited("member", north)
      const without = await instance.newUser(organisationId, "viewer")
      const beside = await limited("viewer", south)
      const people = idsOf(await browser.send("GET /console/users"))
      expect(people).toEqual(expect.arrayContaining([id, within.id]))
      for (const absent of [owner.id, without.id, beside.id]) {
        expect(people).not.toContain(absent)
        for (const line of ["PUT /console/users/ID", "DELETE /console/users/ID", "DELETE /console/users/ID/sessions"]) {
          const send = (named: string) =>
            browser.send(line.replace("ID", named), line.startsWith("PUT") ? { body: { name: "Mine" } } : {})
          expect([line, ...answerTo(absent, await send(absent))]).toEqual([
            line,
            ...answerTo(unknownId, await send(unknownId))
          ])
        }
      }
      expect((await change(within.id, { role: "viewer" }, browser)).json["role"]).toBe("viewer")
      const invited = await invite(ada)
      const listed = idsOf(await browser.send("GET /console/invitations"))
      expect(listed).not.toContain(String(invited.json["id"]))
      const key = await ada.send("POST /console/api-keys", { body: { name: "Whole" } })
      expect(idsOf(await browser.send("GET /console/api-keys"))).not.toContain(String(key.json["id"]))
      for (const [line, hidden] of [
        ["DELETE /console/invitations/ID", String(invited.json["id"])],
        ["POST /console/invitations/ID/resend", String(invited.json["id"])],
        ["DELETE /console/api-keys/ID", String(key.json["id"])],
        ["POST /console/api-keys/ID/rotate", String(key.json["id"])]
      ] as const) {
        const send = (named: string) =>
          browser.send(line.replace("ID", named), line.includes("rotate") ? { body: {} } : {})
        expect([line, ...answerTo(hidden, await send(hidden))]).toEqual([
          line,
          ...answerTo(unknownId, await send(unknownId))
        ])
      }
    })
  })
})
