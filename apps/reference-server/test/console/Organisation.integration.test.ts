import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { User } from "../../src/accounts/people/User.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const file = { filename: "a.pdf", mimeType: "application/pdf", fileSize: 5 }

describe("the organisation in the company profile", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  let owner: User
  let ada: Browser

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(join(folder.path, "data")))
    owner = await instance.newUser(await instance.newOrganisation(), "owner")
    ada = await instance.loggedIn(owner)
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  const idOf = ({ json }: { readonly json: Record<string, unknown> }) => String(json["id"])

  it("shows the use of the own organisation only, to every role", async () => {
    const use = { documents: 0, measuredDocuments: 0, bytes: 0 }
    const owner = await instance.newUser(await instance.newOrganisation(), "owner")
    const ada = await instance.loggedIn(owner)
    const viewer = await instance.loggedIn(await instance.newUser(owner.organisationId, "viewer"))
    expect((await viewer.send("GET /console/organisation/use")).json).toEqual(use)

    const body = { siteName: "Long Meadow", capacity: 1, unit: "MWp" }
    const siteId = idOf(await ada.send("POST /console/api/sites", { body }))
    const uploads = { siteId, fileType: "documents", files: [file, file] }
    expect((await ada.send("POST /console/api/docs/bulk-upload-url", { body: uploads })).status).toBe(200)
    // Files that have not arrived have no size.
    expect((await ada.send("GET /console/organisation/use")).json).toEqual({
      documents: 2,
      measuredDocuments: 2,
      bytes: 0
    })
    const stranger = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    expect((await stranger.send("GET /console/organisation/use")).json).toEqual(use)
  })

  it("shows totals of the own organisation only, to every role", async () => {
    const nothing = { siteCount: 0, capacityKw: 0 }
    const documents = { pending: 0, uploaded: 0, approved: 0, completed: 0, failed: 0 }
    const empty = {
      ...{ ...nothing, portfolios: [], otherPortfolios: 0, withoutPortfolio: nothing },
      ...{ documents, requirements: 0, apiKeys: 0 }
    }
    const organisationId = await instance.newOrganisation()
    const kate = await instance.loggedIn(await instance.newUser(organisationId, "owner"))
    const overview = async (by: Browser) => (await by.send("GET /console/organisation/overview")).json
    expect(await overview(kate)).toEqual({ ...empty, users: 1 })

    const names = Array.from({ length: 9 }, (_, index) => ({ name: `Portfolio ${index}` }))
    const { json } = await kate.send("POST /console/api/portfolios", { body: names })
    // `as`: the API answers with the created portfolios.
    const ids = (json["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    const sites = [...ids, null].map((portfolioId, index) => ({
      siteName: "Long Meadow",
      ...{ capacity: index + 0.25, unit: "kWp", portfolioId }
    }))
    expect((await kate.send("POST /console/api/sites/bulk", { body: { sites } })).status).toBe(200)
    await kate.send("PUT /console/api/document-requirements", { body: { requirements: [{ documentType: "ppa" }] } })
    const found = await overview(kate)
    expect(found).toMatchObject({ siteCount: 10, capacityKw: 47.5, otherPortfolios: 1, requirements: 1 })
    expect(found["withoutPortfolio"]).toEqual({ siteCount: 1, capacityKw: 9.25 })
    expect(found["portfolios"]).toEqual(
      ids
        .map((id, index) => ({ id, name: `Portfolio ${index}`, siteCount: 1, capacityKw: index + 0.25 }))
        .toReversed()
        .slice(0, 8)
    )
    const viewer = await instance.loggedIn(await instance.newUser(organisationId, "viewer"))
    expect(await overview(viewer)).toEqual({ ...found, users: 2 })
    const stranger = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    expect(await overview(stranger)).toEqual({ ...empty, users: 1 })
  })

  it("shares views among its own users, each under one name", async () => {
    const line = "/console/organisation/views"
    const organisationId = await instance.newOrganisation()
    const owner = await instance.loggedIn(await instance.newUser(organisationId, "owner"))
    const [kate, viewer, stranger] = [
      await instance.loggedIn(await instance.newUser(organisationId, "member")),
      await instance.loggedIn(await instance.newUser(organisationId, "viewer")),
      await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    ]
    const viewsOf = async (by: Browser) => (await by.send(`GET ${line}`)).json["data"]
    const share = (by: Browser, name: string, query: string | null) => by.send(`PUT ${line}`, { body: { name, query } })
    expect(await viewsOf(kate)).toEqual([])
    // Concurrent changes keep each other.
    await Promise.all(["Roofs", "Old", "Fields"].map((name) => share(kate, name, `q=${name}`)))
    expect((await share(kate, "Roofs", "tag=roof&columns=health")).json["data"]).toHaveLength(3)
    expect((await share(kate, "Old", null)).status).toBe(200)
    expect((await share(kate, "Unknown", null)).status).toBe(200)
    const views = [
      { name: "Fields", query: "q=Fields" },
      { name: "Roofs", query: "tag=roof&columns=health" }
    ]
    expect(await viewsOf(viewer)).toEqual(views)
    expect(await viewsOf(stranger)).toEqual([])
    expect((await share(stranger, "Roofs", null)).status).toBe(200)
    expect((await share(viewer, "Roofs", null)).outcome).toBe("role_insufficient")
    for (const [name, query] of [
      ["", "q=a"],
      ["x".repeat(201), "q=a"],
      ["a", "q=\u0000"],
      ["a", `q=${"x".repeat(4_000)}`]
    ] as const) {
      expect((await share(kate, name, query)).outcome).toBe("validation_failed")
    }
    // Other settings stay.
    expect((await owner.send("PUT /console/organisation", { body: { requireSecondFactor: false } })).status).toBe(200)
    expect(await viewsOf(viewer)).toEqual(views)
    for (let count = 2; count < 50; count++) expect((await share(kate, `View ${count}`, "q=a")).status).toBe(200)
    expect((await share(kate, "One more", "q=a")).outcome).toBe("too_many_views")
    expect((await share(kate, "Fields", "q=b")).status).toBe(200)
    expect(await viewsOf(kate)).toHaveLength(50)
  })

  it("is renamed by owners only", async () => {
    const admin = await instance.loggedIn(await instance.newUser(owner.organisationId, "admin"))
    const rename = (by: Browser, name: unknown) => by.send("PUT /console/organisation/name", { body: { name } })
    expect((await rename(admin, "Sunfield")).outcome).toBe("role_insufficient")
    expect((await rename(ada, " ")).outcome).toBe("validation_failed")
    expect((await rename(ada, " Sunfield Energy ")).json).toMatchObject({ name: "Sunfield Energy" })
    expect((await admin.send("GET /console/session")).json["organisation"]).toMatchObject({ name: "Sunfield Energy" })
    const { json } = await ada.send("GET /console/api/events?type=organisation.updated")
    expect(json["data"]).toMatchObject([
      { actor: { userId: owner.id }, changes: { name: { from: "Test", to: "Sunfield Energy" } } }
    ])
  })
})
