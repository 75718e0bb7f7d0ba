/** Imports of sites by users that are limited to portfolios, over HTTP. */
import { join } from "node:path"
import type { OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { User } from "../../../src/accounts/people/User.ts"
import { migratedAt } from "../../Prepared.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"
import type { Browser } from "../Browser.ts"
import { type ConsoleInstance, consoleInstance } from "../ConsoleInstance.ts"

describe("imports of users that are limited to portfolios", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  let organisationId: OrganisationId
  let owner: Browser
  let north: string
  let south: string

  const addPortfolio = async (browser: Browser, name: string): Promise<string> => {
    const { json } = await browser.send("POST /console/api/portfolios", { body: { portfolios: [{ name }] } })
    return Object(json)["data"][0].id
  }

  /** A user with a limit, and its browser. */
  const limited = async (role: User["role"], portfolioIds: ReadonlyArray<string>) => {
    const user = await instance.newUser(organisationId, role)
    expect((await owner.send(`PUT /console/users/${user.id}`, { body: { portfolioIds } })).status).toBe(200)
    return { browser: await instance.loggedIn(user) }
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
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  it("go into a portfolio that they name before the file is read", async () => {
    const { browser } = await limited("member", [north])
    const file = (lines: string) => new TextEncoder().encode(lines)
    const check = (options: object, content: string) => {
      const query = new URLSearchParams({ options: JSON.stringify({ fileName: "a.csv", upsert: false, ...options }) })
      const headers = { "content-type": "text/csv" }
      return browser.send(`POST /console/imports/check?${query}`, { body: new Blob([file(content)]).stream(), headers })
    }
    const content = "siteName,capacity,unit,place\nImported,1,kW,"
    expect((await check({ mappings: [] }, content)).outcome).toBe("caller_limited")
    const place = { mappings: [{ column: "place", target: "portfolio" }] }
    expect((await check(place, `${content}North`)).json).toMatchObject({ created: 1, faultCount: 0 })
    expect((await check(place, content)).json["faults"]).toMatchObject([{ row: 2, code: "portfolio_required" }])
    const named = (portfolioId: string) => check({ mappings: [], portfolioId }, "siteName,capacity,unit\nImported,1,kW")
    expect((await named(north)).json).toMatchObject({ created: 1, faultCount: 0 })
    expect((await named(south)).json["faults"]).toMatchObject([{ row: 2, code: "portfolio_not_found" }])
  })

  it("are shown to the user that made them alone, and to users without a limit", async () => {
    const { browser } = await limited("member", [north])
    const start = async (by: Browser, portfolioId: string) => {
      const options = JSON.stringify({ fileName: "a.csv", upsert: false, mappings: [], portfolioId })
      const body = new Blob(["siteName,capacity,unit\nImported,1,kW"]).stream()
      const headers = { "content-type": "text/csv" }
      const line = `PUT /console/imports/${crypto.randomUUID()}?${new URLSearchParams({ options })}`
      const { json, status } = await by.send(line, { body, headers })
      expect(status).toBe(202)
      const ended = async () => Object((await by.send("GET /console/imports")).json)["data"][0].state === "completed"
      await vi.waitUntil(ended, { timeout: 30_000, interval: 50 })
      return String(json["id"])
    }
    const [hidden, own] = [await start(owner, south), await start(browser, north)]
    expect(await names(browser, "/console/imports", "id")).toEqual([own])
    expect(await names(owner, "/console/imports", "id")).toEqual([own, hidden])
  })
})
