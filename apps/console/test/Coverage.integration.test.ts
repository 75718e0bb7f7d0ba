/**
 * The coverage of all sites: states, links, filters, pages, export.
 */
import { readFile } from "node:fs/promises"
import type { SolarSitesClient } from "@solar-sites/http-node/client"
import type { Route } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { awayFromMidnight, choose, dayIn, eventually, expectCount, expectTexts, hostile } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectContrast, expectFits, takePicture, useSetup } from "./Setup.ts"

/** Four sites, two of them in a portfolio that requires more; documents of the first ones. */
const prepareSites = async (client: SolarSitesClient) => {
  const [portfolio] = await client.portfolios.createMany([{ name: "Leased land" }])
  const portfolioId = portfolio?.id ?? null
  const names = ["Long Meadow", "Calder Mill", "Blackmoor Vale", "Roof 1"]
  const input = names.map((siteName, index) => ({
    ...{ siteName, capacity: 1, unit: "MWp" as const },
    ...(index < 2 && portfolioId !== null ? { portfolioId } : {})
  }))
  const { data } = await client.sites.bulk({ sites: input })
  const ids = data.map(({ site }) => site.id ?? "")
  await client.requirements.replace({
    requirements: [
      { documentType: "insurance", validityRequired: true },
      { documentType: "epc" },
      { documentType: "land_lease", portfolioId }
    ]
  })
  const add = async (siteId: string | undefined, documentType: "insurance" | "epc", validUntil: string | null) => {
    const content = new Blob(["%PDF-1.4"], { type: "application/pdf" })
    const file = { filename: `${documentType}.pdf`, mimeType: content.type, fileSize: content.size }
    const files = [{ ...file, documentType, validUntil }]
    const { results } = await client.documents.issueUploads({ siteId: siteId ?? "", fileType: "documents", files })
    for (const result of results) {
      await client.uploads.send(result, content)
      if (result.success) await client.documents.changeStatus(result.documentId, { status: "uploaded" }).catch(() => {})
    }
  }
  await add(ids[0], "insurance", dayIn(300))
  await add(ids[0], "epc", null)
  await add(ids[1], "insurance", dayIn(10))
  await add(ids[2], "insurance", dayIn(-10))
  return { ids, portfolioId }
}

/** Answers with a page that others follow. */
const asFirstOfSeveral = async (route: Route): Promise<void> => {
  const response = await route.fetch()
  await route.fulfill({ response, json: { ...(await response.json()), nextCursor: "next" } })
}

describe.skipIf(executablePath === "")("the coverage of all sites", () => {
  const setup = useSetup()

  it("shows states, leads to documents and uploads, filters and exports", async () => {
    await awayFromMidnight()
    await using watched = await setup().open("/coverage")
    const { page } = watched
    await page.getByText("No documents are required").waitFor()
    expect(await page.getByRole("link", { name: "Document requirements" }).getAttribute("href")).toBe(
      "/company/requirements"
    )
    await expectAccessible(page)

    const { client } = setup()
    const { ids, portfolioId } = await prepareSites(client)
    await visit(page)
    const table = page.getByRole("table", { name: "Required documents by site" })
    const cell = (siteName: string, documentType: string, state: string) =>
      table.getByRole("link", { name: `${siteName}, ${documentType}:` }).filter({ hasText: state })
    await cell("Long Meadow", "Insurance", "Valid").waitFor()
    await cell("Calder Mill", "Insurance", "Expires soon").waitFor()
    await cell("Blackmoor Vale", "Insurance", "Expired").waitFor()
    await table
      .getByRole("row", { name: /^Roof 1 / })
      .getByRole("img", { name: "Not required" })
      .waitFor()
    await page.getByText("0 of 4 sites complete").waitFor()
    const heads = [/^Site/, /^Insurance/, /^EPC/, /^Land lease/].map((head) => expect.stringMatching(head))
    await expectTexts(table.getByRole("columnheader"), heads)
    await expectFits(page)
    const names = [...Array.from({ length: 24 }, (_, index) => `Roof ${index + 2}`), hostile]
    await client.sites.bulk({ sites: names.map((siteName) => ({ siteName, capacity: 1, unit: "MWp" })) })
    await page.route(/\/api\/coverage\?.*limit=/, asFirstOfSeveral, { times: 1 })
    await visit(page)
    await page.getByText("0 of 29 sites complete").waitFor()
    await page.getByText("29 sites, 1–29").waitFor()
    await page.getByRole("link", { name: hostile, exact: true }).waitFor()
    await takePicture(page, "coverage")
    // The first column and the head stay while the frame scrolls.
    await page.setViewportSize({ width: 390, height: 800 })
    const frame = page.getByRole("region", { name: "Required documents by site" })
    const within = async (selector: string) => {
      const [inner, outer] = [await table.locator(selector).first().boundingBox(), await frame.boundingBox()]
      return inner !== null && outer !== null && inner.x >= outer.x && inner.y >= outer.y
    }
    // The frame becomes smaller after the page.
    await eventually(async () => {
      await frame.evaluate((element) => element.scrollTo(2_000, 2_000))
      expect(await frame.evaluate((element) => element.scrollLeft > 0 && element.scrollTop > 0)).toBe(true)
      expect(await within("thead th")).toBe(true)
    })
    await page.setViewportSize({ width: 1120, height: 720 })

    // A count leads to its sites.
    await page.getByRole("button", { name: "Insurance, Expires soon: 1 site" }).click()
    await page.waitForURL("/coverage?state=expiring&documentType=insurance")
    await expectCount(table.getByRole("row"), 2)
    const exporting = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export CSV" }).click()
    const download = await exporting
    expect(download.suggestedFilename()).toBe("coverage.csv")
    const csv = await readFile(await download.path(), "utf8")
    expect(csv).toContain("Calder Mill")
    expect(csv).not.toContain("Long Meadow")

    // A search finds among all sites. The matrix is in the order of their names.
    await page.route(/\/sites\?.*q=o/, asFirstOfSeveral)
    await page.getByRole("searchbox").fill("o")
    await page.getByRole("button", { name: "Site", exact: true }).click()
    await page.waitForURL("/coverage?search=o&order=asc")
    await table.getByRole("columnheader", { name: "Site" }).and(page.locator('[aria-sort="ascending"]')).waitFor()
    await page
      .getByText(/^\d+ sites, 1–\d+$/)
      .first()
      .waitFor()
    await page.getByRole("searchbox").fill("mea")
    await expectCount(table.getByRole("row"), 2)
    await cell("Long Meadow", "Insurance", "Valid").waitFor()
    await visit(page, "/coverage?state=expiring&documentType=insurance")
    await expectCount(table.getByRole("row"), 2)

    // On another day.
    await page.getByRole("button", { name: "Another day …" }).click()
    await page.getByLabel("As of").fill(dayIn(20))
    await page.getByText("No site fits this").waitFor()
    await page.getByRole("link", { name: "Clear filters" }).click()
    await page.waitForURL("/coverage")
    await choose(page, "Portfolio", "Leased land")
    await page.waitForURL(`/coverage?portfolio=${portfolioId}`)
    await page.getByText("0 of 2 sites complete").waitFor()

    await cell("Calder Mill", "Land lease", "Missing").click()
    await page.waitForURL(`/sites/${ids[1]}/documents?upload=land_lease`)
    await page.getByRole("dialog", { name: /^Upload to Calder Mill/ }).waitFor()
    await page.goBack()
    await cell("Long Meadow", "Insurance", "Valid").click()
    const { data } = await client.documents.list({ documentType: "insurance" })
    await page.waitForURL(`/sites/${ids[0]}/documents?document=${data[0]?.id}`)
  })

  it("is one sign in lists, in headers, in the search and on the map", async () => {
    await awayFromMidnight()
    const { client, open } = await setup().another()
    const { portfolioId } = await prepareSites(client)
    await using watched = await open("/sites")
    const { page } = watched
    const healthOf = (name: string, health: string) =>
      page
        .getByRole("row")
        .filter({ hasText: name })
        .getByText(health, { exact: true })
        .filter({ visible: true })
        .waitFor()
    await healthOf("Blackmoor Vale", "Expired")
    await healthOf("Long Meadow", "Missing")
    await choose(page, "Health", "Expired")
    await expectCount(page.getByRole("row"), 2)
    await healthOf("Blackmoor Vale", "Expired")

    await page.getByRole("link", { name: "Blackmoor Vale" }).click()
    await page.getByRole("main").getByRole("link", { name: "Expired" }).first().click()
    await page.waitForURL(/\/sites\/.+\/coverage$/)

    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill("blackmoor")
    await page.getByRole("option", { name: /Blackmoor Vale.*Expired/ }).waitFor()
    await page.keyboard.press("Escape")

    await visit(page, `/portfolios/${portfolioId}`)
    await page.getByRole("main").getByRole("link", { name: "Missing" }).click()
    await page.waitForURL(`/coverage?portfolio=${portfolioId}`)

    const { sites } = client
    const { data } = await sites.list({})
    const place = (siteName: string, latitude: number, longitude: number) =>
      sites.update(data.find((site) => site.siteName === siteName)?.id ?? "", { latitude, longitude })
    await Promise.all([place("Calder Mill", 53.7, -1.8), place("Long Meadow", 53.8, -1.9), place("Roof 1", 40, 20)])
    await visit(page, "/sites?view=map")
    const marker = (name: string) => page.getByRole("region", { name: /^Map/ }).getByRole("button", { name })
    await marker("2 sites here, zoom in: Missing").waitFor()
    await place("Blackmoor Vale", 53.75, -1.85)
    await visit(page, "/sites?view=map")
    // The worst of the sites that share a marker.
    await marker("3 sites here, zoom in: Expired").waitFor()
    await expectContrast(page)
    await marker("3 sites here, zoom in: Expired").click()
    await marker("Blackmoor Vale: Expired").waitFor()
  })

  it("offers viewers no uploads", async () => {
    const { client, open, viewer } = await setup().another()
    await prepareSites(client)
    await using watched = await open("/coverage?state=missing", { as: viewer })
    const { page } = watched
    const table = page.getByRole("table", { name: "Required documents by site" })
    await table
      .getByRole("row", { name: /^Long Meadow / })
      .getByText("Missing")
      .waitFor()
    await expectCount(table.getByText("Upload"), 0)
  })
})
