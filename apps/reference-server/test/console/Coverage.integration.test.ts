import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

describe("the coverage of chosen sites, and sites by health", () => {
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

  const newSite = async (browser: Browser, siteName: string) => {
    const { json } = await browser.send("POST /console/api/sites", { body: { siteName, capacity: 1, unit: "MWp" } })
    return String(json["id"])
  }

  const read = (browser: Browser, siteIds: ReadonlyArray<string>) =>
    browser.send(`GET /console/coverage?${siteIds.map((id) => `siteId=${id}`).join("&")}`)

  it("is that of sites of the own organisation, in the order of the request", async () => {
    const organisationId = await instance.newOrganisation()
    const owner = await instance.loggedIn(await instance.newUser(organisationId, "owner"))
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    const stranger = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    const [meadow, mill] = [await newSite(owner, "Long Meadow"), await newSite(owner, "Calder Mill")]
    await newSite(owner, "Blackmoor Vale")
    const requirements = [{ documentType: "insurance" }]
    await owner.send("PUT /console/api/document-requirements", { body: { requirements } })

    const foreign = await newSite(stranger, "Foreign Field")
    const { json, status } = await read(viewer, [mill, foreign, meadow, mill, crypto.randomUUID()])
    const items = [{ documentType: "insurance", state: "missing", documentId: null, validUntil: null }]
    expect(status).toBe(200)
    expect(json).toEqual({
      data: [
        { siteId: mill, siteName: "Calder Mill", portfolioId: null, complete: false, items },
        { siteId: meadow, siteName: "Long Meadow", portfolioId: null, complete: false, items }
      ]
    })
  })

  it("lists the sites of a health within the conditions and the order of a list, page by page", async () => {
    const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    const stranger = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    for (const siteName of ["Field 2", "Field 1", "Roof", "Field 3"]) await newSite(owner, siteName)
    const find = async (query: string, browser = owner) => {
      const { json, status } = await browser.send(`GET /console/sites?${query}`)
      // JSON of a list, or of a problem document.
      const { data = [], nextCursor } = json as unknown as {
        readonly data?: ReadonlyArray<{ readonly siteName: string }>
        readonly nextCursor: string | null
      }
      return { names: data.map(({ siteName }) => siteName), nextCursor, status }
    }
    expect((await find("health=complete")).names).toHaveLength(4)
    const requirements = [{ documentType: "insurance" }]
    await owner.send("PUT /console/api/document-requirements", { body: { requirements } })
    expect((await find("health=complete")).names).toEqual([])
    const query = "health=missing&q=field&sort=siteName&order=desc&limit=2"
    const first = await find(query)
    expect(first.names).toEqual(["Field 3", "Field 2"])
    const rest = await find(`${query}&cursor=${first.nextCursor}`)
    expect(rest).toEqual({ names: ["Field 1"], nextCursor: null, status: 200 })
    expect((await find(`health=expired&cursor=${first.nextCursor}`)).status).toBe(400)
    expect((await find("health=missing", stranger)).names).toEqual([])
    expect((await find("health=missing", instance.visitor())).status).toBe(401)
  })

  it("is refused for other ids, for too many sites, and without a session", async () => {
    const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    expect((await read(owner, ["one"])).outcome).toBe("validation_failed")
    expect(
      (
        await read(
          owner,
          Array.from({ length: 101 }, () => crypto.randomUUID())
        )
      ).outcome
    ).toBe("validation_failed")
    expect((await read(owner, [])).json).toEqual({ data: [] })
    expect((await read(instance.visitor(), [])).outcome).toBe("session_missing")
  })
})
