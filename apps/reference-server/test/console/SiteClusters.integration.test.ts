import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

describe("found sites, on the map, as CSV and with tags", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(join(folder.path, "data")))
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  const newSite = async (browser: Browser, siteName: string, more: object = {}) => {
    const body = { siteName, capacity: 1, unit: "MWp", ...more }
    const { json } = await browser.send("POST /console/api/sites", { body })
    return { id: String(json["id"]), siteName }
  }

  const read = (browser: Browser, query: Readonly<Record<string, string>> = {}) =>
    browser.send(`GET /console/sites/clusters?${new URLSearchParams(query)}`)

  it("are counted by cells of the section, for the own organisation alone", async () => {
    const organisationId = await instance.newOrganisation()
    const owner = await instance.loggedIn(await instance.newUser(organisationId, "owner"))
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const stranger = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    const [meadow, mill] = [
      { latitude: 48.1, longitude: 11.5 },
      { latitude: 48.2, longitude: 11.6 }
    ]
    await newSite(stranger, "Foreign Field", meadow)
    const first = await newSite(owner, "Long Meadow", meadow)
    const second = await newSite(owner, "Calder Mill", mill)
    const third = await newSite(owner, "Blackmoor Vale")

    const { json, status } = await read(viewer)
    expect(status).toBe(200)
    // In a section of the world both are in one small cell.
    const bounds = { west: 11.5, south: 48.1, east: 11.6, north: 48.2 }
    expect(json).toEqual({ clusters: [{ count: 2, ...bounds, sites: [] }], unplaced: { count: 1, sites: [third] } })

    const found = [{ count: 1, west: 11.6, south: 48.2, east: 11.6, north: 48.2, sites: [second] }]
    const near = await read(viewer, { within: "11,48,12,49" })
    const other = { count: 1, west: 11.5, south: 48.1, east: 11.5, north: 48.1, sites: [first] }
    expect(near.json).toEqual({ clusters: [other, ...found], unplaced: null })
    expect((await read(viewer, { within: "11.55,48,11.7,48.3" })).json).toEqual({ clusters: found, unplaced: null })
    expect((await read(viewer, { q: "mill", portfolioId: "none" })).json["clusters"]).toEqual(found)
    expect((await read(viewer, { portfolioId: crypto.randomUUID() })).json["clusters"]).toEqual([])
  })

  it("have the health, and the portfolio or none, that are asked for", async () => {
    const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    const body = { portfolios: [{ name: "North" }] }
    const made = await owner.send("POST /console/api/portfolios", { body })
    const [{ id: portfolioId }] = Object(made.json["data"])
    const alone = await newSite(owner, "Calder Mill")
    const inside = await newSite(owner, "Long Meadow", { portfolioId })
    const requirements = [{ documentType: "insurance", portfolioId }]
    await owner.send("PUT /console/api/document-requirements", { body: { requirements } })
    const unplaced = async (query: Readonly<Record<string, string>>) => (await read(owner, query)).json["unplaced"]
    expect(await unplaced({ health: "missing" })).toEqual({ count: 1, sites: [inside] })
    expect(await unplaced({ health: "complete" })).toEqual({ count: 1, sites: [alone] })
    expect(await unplaced({ health: "missing", portfolioId: "none" })).toEqual({ count: 0, sites: [] })

    const csv = async (query: string) => {
      const { headers, text } = await owner.send(`GET /console/sites/csv?${query}`)
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8")
      const [header = "", ...lines] = text.split("\r\n")
      expect(header).toMatch(/^id,organisationId,siteName,/)
      return lines.flatMap((line) => line.split(",")[2] ?? [])
    }
    expect(await csv("sort=siteName&order=desc")).toEqual(["Long Meadow", "Calder Mill"])
    expect(await csv("health=missing")).toEqual(["Long Meadow"])
    expect(await csv("portfolioId=none")).toEqual(["Calder Mill"])
    expect(await csv(`portfolioId=${portfolioId}&health=complete`)).toEqual([])

    const listed = await owner.send("GET /console/sites?portfolioId=none")
    expect(listed.json["data"]).toMatchObject([alone])
  })

  it("are refused for a section that is none, and without a session", async () => {
    const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    for (const within of ["", "1,2,3", "10,0,5,1", "0,0,181,1", "0,0,1,north"]) {
      expect((await read(owner, { within })).outcome, within).toBe("validation_failed")
    }
    expect((await read(owner, { portfolioId: "all" })).outcome).toBe("validation_failed")
    for (const line of ["GET /console/sites", "GET /console/sites/csv", "GET /console/sites/clusters"]) {
      expect((await instance.visitor().send(line)).outcome, line).toBe("session_missing")
    }
  })

  it("get and lose tags together, each with an event of the user", async () => {
    const organisationId = await instance.newOrganisation()
    await instance.newUser(organisationId, "owner")
    const user = await instance.newUser(organisationId, "member")
    const member = await instance.loggedIn(user)
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const first = await newSite(member, "Long Meadow", { tags: ["old", "roof"] })
    const second = await newSite(member, "Calder Mill", { tags: Array.from({ length: 20 }, (_, n) => `tag ${n}`) })
    const gone = crypto.randomUUID()
    const change = { siteIds: [first.id, second.id, gone], add: ["new"], remove: ["old"] }
    const send = (browser: Browser, body: object) => browser.send("POST /console/sites/tags", { body })

    expect((await send(viewer, change)).status).toBe(403)
    expect((await send(member, change)).json).toEqual({ missing: [gone], full: [second.id] })
    expect((await member.send(`GET /console/api/sites/${first.id}`)).json["tags"]).toEqual(["roof", "new"])
    const { json } = await member.send("GET /console/api/events?type=site.updated")
    expect(json["data"]).toMatchObject([
      {
        siteId: first.id,
        actor: { userId: user.id },
        changes: { tags: { from: ["old", "roof"], to: ["roof", "new"] } }
      }
    ])
    // A repetition changes nothing.
    expect((await send(member, change)).json).toEqual({ missing: [gone], full: [second.id] })
    expect((await member.send("GET /console/api/events?type=site.updated")).json["data"]).toHaveLength(1)
    for (const wrong of [
      { ...change, siteIds: [first.id, first.id] },
      { ...change, siteIds: Array.from({ length: 101 }, () => crypto.randomUUID()) },
      { ...change, add: [""] },
      { siteIds: [first.id] }
    ]) {
      expect((await send(member, wrong)).outcome).toBe("validation_failed")
    }
  })
})
