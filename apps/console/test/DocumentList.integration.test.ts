/**
 * Documents of all sites in a browser: found, paged through, exported.
 */
import { readFile } from "node:fs/promises"
import type { SolarSitesClient } from "@solar-sites/http-node/client"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { requestFiles, rowOf, uploadTo } from "./DocumentsSetup.ts"
import { awayFromMidnight, choose, dayIn, expectTexts, expectValue } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectFits, takePicture, useSetup } from "./Setup.ts"

const rowsOf = (page: Page) => page.getByRole("table", { name: "Documents" }).locator("tbody tr")

describe.skipIf(executablePath === "")("documents of all sites in the console", () => {
  const setup = useSetup()

  const createSite = (client: SolarSitesClient, siteName: string, portfolioId: string | null = null) =>
    client.sites.create({ siteName, capacity: 1, unit: "MW", portfolioId })

  it("lists documents that expire, soonest first, and exports what the filters find", async () => {
    await awayFromMidnight()
    const { client } = setup()
    const { id: portfolioId } = await client.portfolios.create({ name: "Expiring Fields" })
    const { id } = await createSite(client, "Dated Field", portfolioId)
    const until = (filename: string, days: number) => ({ filename, validUntil: dayIn(days) })
    await uploadTo(client, id, [
      until("later.pdf", 60),
      until("soon.pdf", 30),
      until("past.pdf", -3),
      until("now.pdf", 0)
    ])
    await using watched = await setup().open(`/documents/expiring?portfolio=${portfolioId}`)
    const { page } = watched
    await page.getByText("3 documents", { exact: true }).waitFor()
    await expectTexts(rowsOf(page).getByRole("button", { name: /^\w+\.pdf$/ }), ["past.pdf", "now.pdf", "soon.pdf"])
    await rowOf(page, "past.pdf").getByText("expired 3 days ago").waitFor()
    await rowOf(page, "now.pdf").getByText("expires today").waitFor()
    // What has expired does not look fine because it has arrived.
    await rowOf(page, "past.pdf").getByText("Expired", { exact: true }).waitFor()
    await rowOf(page, "now.pdf").getByText("Expires soon", { exact: true }).waitFor()
    await rowOf(page, "past.pdf").getByRole("button", { name: "past.pdf", exact: true }).click()
    const beside = page.getByRole("dialog", { name: "past.pdf" })
    await beside.getByText("Expired", { exact: true }).waitFor()
    await beside.getByRole("button", { name: "Close" }).click()
    await rowOf(page, "soon.pdf").getByText("expires in 30 days").waitFor()
    await takePicture(page, "expiring")
    await expectFits(page)
    await choose(page, "Expires within", "Within 90 days")
    await page.getByText("4 documents", { exact: true }).waitFor()
    await page.getByRole("searchbox").fill("SOON")
    await page.getByText("1 document", { exact: true }).waitFor()
    await visit(page)
    await page.getByText("1 document", { exact: true }).waitFor()
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export CSV" }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe("documents-expiring.csv")
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n")
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain("soon.pdf")
  })

  it("filters all documents by state and kind, shows one beside the list, and begins an upload", async () => {
    const { client } = setup()
    const { id: portfolioId } = await client.portfolios.create({ name: "Large Fields" })
    const { id } = await createSite(client, "Large Field", portfolioId)
    const names = Array.from({ length: 4 }, (_, index) => `sheet ${index}.csv`)
    await requestFiles(
      client,
      id,
      names.map((filename) => ({ filename, documentType: "ppm" }))
    )
    await using watched = await setup().open("/documents/all")
    const { page } = watched
    await page.getByText(/^\d+ documents$/).waitFor()
    await visit(page, `/documents/all?portfolio=${portfolioId}`)
    await rowsOf(page).first().filter({ hasText: "sheet 3.csv" }).waitFor()
    await page.getByRole("button", { name: "sheet 0.csv", exact: true }).click()
    await page.getByRole("dialog", { name: "sheet 0.csv" }).getByText("There is no file to show.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await choose(page, "State", "Approved")
    await page.getByText("No document fits this").waitFor()
    await choose(page, "State", "Waiting for its file")
    await choose(page, "Kind", "PPM")
    await page.getByRole("columnheader", { name: "File" }).getByRole("button").click()
    await rowsOf(page).first().filter({ hasText: "sheet 0.csv" }).waitFor()
    await page.getByRole("link", { name: "To review" }).click()
    await page.waitForURL("/documents")
    await expectValue(page.getByRole("searchbox"), "")
    // An upload begins here, with the site chosen.
    await page.getByRole("button", { name: "Upload files" }).click()
    await page.getByRole("combobox", { name: "Site", exact: true }).fill("large")
    await page.getByRole("option", { name: "Large Field · Large Fields" }).click()
    await page.getByRole("button", { name: "Go on" }).click()
    await page.waitForURL(`/sites/${id}/documents?upload`)
    await page.getByRole("dialog", { name: "Upload to Large Field" }).waitFor()
  })
})
