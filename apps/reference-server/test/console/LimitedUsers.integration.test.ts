/** Users that are limited to portfolios, over HTTP: what they reach, and how admins limit them. */
import { join } from "node:path"
import type { OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { User } from "../../src/accounts/people/User.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const unknownId = "0190a5c0-0000-7000-8000-000000000000"

describe("users that are limited to portfolios", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  let organisationId: OrganisationId
  let owner: Browser
  let north: string
  let south: string
  let foreign: string

  const addPortfolio = async (browser: Browser, name: string): Promise<string> => {
    const { json } = await browser.send("POST /console/api/portfolios", { body: { portfolios: [{ name }] } })
    return Object(json)["data"][0].id
  }

  const addSite = async (browser: Browser, siteName: string, portfolioId?: string) => {
    const body = { siteName, capacity: 1, unit: "MW", ...(portfolioId === undefined ? {} : { portfolioId }) }
    const { json, status } = await browser.send("POST /console/api/sites", { body })
    expect(status).toBe(201)
    return String(json["id"])
  }

  const limit = async ({ id }: User, portfolioIds: ReadonlyArray<string> | null, by = owner) =>
    by.send(`PUT /console/users/${id}`, { body: { portfolioIds } })

  /** A user with a limit, and its browser. */
  const limited = async (role: User["role"], portfolioIds: ReadonlyArray<string>) => {
    const user = await instance.newUser(organisationId, role)
    expect((await limit(user, portfolioIds)).json["portfolioIds"]).toEqual(portfolioIds)
    return { user, browser: await instance.loggedIn(user) }
  }

  const names = async (browser: Browser, path: string, member: string): Promise<ReadonlyArray<unknown>> => {
    const { json } = await browser.send(`GET ${path}`)
    return Object(json)["data"].map((one: Record<string, unknown>) => one[member])
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(join(folder.path, "data")))
    organisationId = await instance.newOrganisation()
    owner = await instance.loggedIn(await instance.newUser(organisationId, "owner"))
    north = await addPortfolio(owner, "North")
    south = await addPortfolio(owner, "South")
    const other = await instance.newOrganisation()
    foreign = await addPortfolio(await instance.loggedIn(await instance.newUser(other, "owner")), "Foreign")
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  it("reach their portfolios from the next request on, and everything again without a limit", async () => {
    const user = await instance.newUser(organisationId, "member")
    const browser = await instance.loggedIn(user)
    const portfolios = () => names(browser, "/console/api/portfolios", "name")
    expect(await portfolios()).toEqual(["North", "South"])
    for (const [ids, visible] of [
      [[north], ["North"]],
      [
        [south, north],
        ["North", "South"]
      ],
      [[south], ["South"]],
      [null, ["North", "South"]]
    ] as const) {
      const { json, status } = await limit(user, ids)
      expect([status, json["portfolioIds"]]).toEqual([200, ids])
      expect(await portfolios()).toEqual(visible)
      expect(Object((await browser.send("GET /console/session")).json["user"]).portfolioIds).toEqual(ids)
      expect((await browser.send("GET /console/api/me")).json["portfolioIds"]).toEqual(ids)
    }
  })

  it("find sites outside absent, as those of another organisation", async () => {
    const inside = await addSite(owner, "Inside", north)
    const outside = [await addSite(owner, "Outside", south), await addSite(owner, "Nowhere")]
    const { browser } = await limited("member", [north])
    expect(await names(browser, "/console/api/sites", "siteName")).toEqual(["Inside"])
    expect((await browser.send(`GET /console/api/sites/${inside}`)).status).toBe(200)
    const normal = ({ headers, status, text }: Awaited<ReturnType<Browser["send"]>>, id: string) => {
      const kept = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name) && !/^ratelimit/.test(name))
      return [status, kept, text.replaceAll(id, "ID").replaceAll(/[0-9a-f-]{36}/g, "UUID")]
    }
    for (const line of ["GET", "PUT", "DELETE"]) {
      const body = line === "PUT" ? { body: { siteName: "Taken" } } : {}
      const absent = await browser.send(`${line} /console/api/sites/${unknownId}`, body)
      expect(absent.status).toBe(404)
      for (const id of outside) {
        expect(normal(await browser.send(`${line} /console/api/sites/${id}`, body), id)).toEqual(
          normal(absent, unknownId)
        )
      }
    }
    expect((await owner.send(`GET /console/api/sites/${outside[0]}`)).json["siteName"]).toBe("Outside")
  })

  it("cannot change or read what is of the whole organisation", async () => {
    const { browser } = await limited("admin", [north])
    for (const [line, body] of [
      ["GET /console/organisation", undefined],
      ["GET /console/organisation/use", undefined],
      ["GET /console/organisation/views", undefined],
      ["PUT /console/organisation/views", { name: "Roofs", query: "tag=roof" }],
      ["GET /console/api/webhooks", undefined],
      ["POST /console/api/portfolios", { portfolios: [{ name: "More" }] }]
    ] as const) {
      expect([line, (await browser.send(line, body === undefined ? {} : { body })).outcome]).toEqual([
        line,
        "caller_limited"
      ])
    }
  })

  it("are limited to portfolios of the organisation, by admins, and are no owners", async () => {
    const user = await instance.newUser(organisationId, "member")
    for (const [ids, outcome] of [
      [[], "validation_failed"],
      [["north"], "validation_failed"],
      [[north, north], "validation_failed"],
      [Array.from({ length: 51 }, () => crypto.randomUUID()), "validation_failed"],
      [[unknownId], "portfolio_not_found"],
      [[north, foreign], "portfolio_not_found"]
    ] as const) {
      expect((await limit(user, ids)).outcome).toBe(outcome)
    }
    const boss = await instance.newUser(organisationId, "owner")
    expect((await limit(boss, [north])).outcome).toBe("owner_limited")
    expect((await limit(user, [north])).status).toBe(200)
    const promote = { body: { role: "owner" } }
    expect((await owner.send(`PUT /console/users/${user.id}`, promote)).outcome).toBe("owner_limited")
    const both = { body: { role: "owner", portfolioIds: null } }
    expect((await owner.send(`PUT /console/users/${user.id}`, both)).json).toMatchObject({
      role: "owner",
      portfolioIds: null
    })
    const itself = await instance.newUser(organisationId, "member")
    expect((await limit(itself, [north], await instance.loggedIn(itself))).outcome).toBe("role_insufficient")
  })

  it("who are admins manage people, invitations and keys within their own limit alone", async () => {
    const admin = await limited("admin", [north, south])
    const [inside, outside] = [await limited("viewer", [south]), await instance.newUser(organisationId, "viewer")]
    const { browser } = admin
    const people = await names(browser, "/console/users", "id")
    expect(people).toContain(inside.user.id)
    expect(people).toContain(admin.user.id)
    expect(people).not.toContain(outside.id)
    for (const id of [outside.id, unknownId]) {
      expect((await browser.send(`PUT /console/users/${id}`, { body: { name: "x" } })).outcome).toBe("user_not_found")
      expect((await browser.send(`DELETE /console/users/${id}`)).outcome).toBe("user_not_found")
    }
    expect((await limit(inside.user, null, browser)).outcome).toBe("caller_limited")
    expect((await limit(inside.user, [north], browser)).status).toBe(200)
    expect(await names(inside.browser, "/console/api/portfolios", "name")).toEqual(["North"])

    const invite = (by: Browser, portfolioIds?: ReadonlyArray<string> | null) =>
      by.send("POST /console/invitations", {
        body: {
          email: `${crypto.randomUUID()}@example.com`,
          role: "viewer",
          ...(portfolioIds === undefined ? {} : { portfolioIds })
        }
      })
    expect((await invite(browser)).json["portfolioIds"]).toEqual([north, south])
    expect((await invite(browser, [south])).json["portfolioIds"]).toEqual([south])
    expect((await invite(browser, null)).outcome).toBe("caller_limited")
    const west = await addPortfolio(owner, "West")
    expect((await invite(browser, [west])).outcome).toBe("portfolio_not_found")
    const hidden = await invite(owner)
    expect(hidden.json["portfolioIds"]).toBeNull()
    expect(await names(browser, "/console/invitations", "id")).not.toContain(hidden.json["id"])
    expect((await browser.send(`DELETE /console/invitations/${hidden.json["id"]}`)).outcome).toBe(
      "invitation_not_found"
    )
    expect((await owner.send("GET /console/invitations")).text).toContain(String(hidden.json["id"]))
  })

  it("make keys that end where their own limit ends now", async () => {
    const { browser, user } = await limited("admin", [north, south])
    const made = await browser.send("POST /console/api-keys", { body: { name: "Key" } })
    const headers = { "x-api-key": String(made.json["key"]) }
    const visible = async () => {
      const { json } = await instance.visitor().send("GET /api/portfolios", { headers })
      return Object(json)["data"].map(({ name }: { name: string }) => name)
    }
    expect(await visible()).toEqual(["North", "South"])
    await limit(user, [south])
    expect(await visible()).toEqual(["South"])
  })

  it("accept an invitation with its limit", async () => {
    const body = { email: `${crypto.randomUUID()}@example.com`, role: "viewer", portfolioIds: [south] }
    const { json } = await owner.send("POST /console/invitations", { body })
    const token = String(json["link"]).split("#")[1]
    const guest = instance.visitor()
    const acceptance = { body: { token, name: "Guest", password: "correct horse battery" } }
    const accepted = await guest.send("POST /console/invitations/accept", acceptance)
    expect([accepted.status, Object(accepted.json["user"]).portfolioIds]).toEqual([201, [south]])
    expect(await names(guest, "/console/api/portfolios", "name")).toEqual(["South"])
  })

  it("see nothing when the last portfolio of their list is deleted", async () => {
    const gone = await addPortfolio(owner, "Gone")
    const { browser, user } = await limited("member", [gone])
    expect((await owner.send(`DELETE /console/api/portfolios/${gone}`)).status).toBe(204)
    expect((await browser.send("GET /console/api/me")).json["portfolioIds"]).toEqual([])
    expect(await names(browser, "/console/api/sites", "id")).toEqual([])
    const { json } = await owner.send("GET /console/users")
    const shown = Object(json)["data"].find(({ id }: { id: string }) => id === user.id)
    expect(shown.portfolioIds).toEqual([])
  })

  it("are told by `user.updated` when an admin changes their limit", async () => {
    const { user } = await limited("member", [north])
    const { json } = await owner.send("GET /console/api/events?order=desc&type=user.updated&limit=1")
    const [event] = Object(json)["data"]
    expect(event).toMatchObject({ subject: { id: user.id }, changes: { portfolioIds: { from: null, to: [north] } } })
  })
})
