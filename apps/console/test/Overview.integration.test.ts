/**
 * The first page: steps of an empty organisation, sample data, totals, and parts that fail alone.
 */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { awayFromMidnight, clientOf, expectCount } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectFits, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("the overview", () => {
  const setup = useSetup()

  it("leads an empty organisation, loads sample data once and removes exactly that", async () => {
    await awayFromMidnight()
    await using watched = await setup().open("/")
    const { page } = watched
    const client = clientOf(page)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    const start = page.getByRole("region", { name: "First steps" })
    await start.getByRole("link", { name: "Require documents" }).waitFor()
    await start.getByText("1 of 3 done").waitFor()
    await page.getByText("There are no documents yet.").waitFor()
    await expectFits(page)
    await takePicture(page, "overview-start")

    await page.getByRole("button", { name: "Load sample data" }).dblclick()
    await page.getByText("The sample data was loaded.").waitFor()
    const { data: sites } = await client.sites.list()
    const { data: documents } = await client.documents.list()
    expect(sites).toHaveLength(12)
    expect(
      sites.every(({ externalId, tags }) => externalId?.startsWith("sample-site-") && tags.includes("sample"))
    ).toBe(true)
    expect(sites.filter(({ coverImageUrl }) => coverImageUrl !== null)).toHaveLength(3)
    expect(new Set(documents.map(({ status }) => status))).toEqual(new Set(["uploaded", "approved"]))
    const pdf = documents.find(({ mimeType }) => mimeType === "application/pdf")
    const { url } = await client.documents.downloadUrl(pdf?.id ?? "")
    expect(await (await fetch(url)).text()).toMatch(/^%PDF-1\.4\n.*startxref\n\d+\n%%EOF\n$/s)
    await page.getByRole("link", { name: "Blackmoor Vale · Insurance" }).waitFor()

    // What belongs to the organisation itself stays.
    const own = await client.sites.create({ siteName: "Own Roof", capacity: 60, unit: "kWp", tags: ["sample"] })
    const { requirements, version } = await client.requirements.get()
    const ours = { documentType: "epc", portfolioId: null } as const
    await client.requirements.replace({ requirements: [...requirements, ours] }, { expectedVersion: version })

    await visit(page)
    await page.getByText("This organisation contains sample data.").waitFor()
    await page.getByRole("region", { name: "Totals" }).getByText("13", { exact: true }).waitFor()
    await page.getByText("Yorkshire rooftops").first().waitFor()
    await page.getByText("In no portfolio").waitFor()
    await page.getByRole("list", { name: "Today" }).waitFor()
    await expectFits(page)
    await takePicture(page, "overview")

    await page.getByRole("link", { name: "Missing" }).click()
    await page.waitForURL("/coverage?state=missing")
    await page.goBack()

    await page.getByRole("button", { name: "Remove sample data" }).click()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Remove", exact: true }).click()
    await page.getByText("The sample data was removed.").waitFor()
    expect((await client.sites.list()).data.map(({ id }) => id)).toEqual([own.id])
    expect((await client.portfolios.list()).data).toEqual([])
    expect((await client.documents.list()).data).toEqual([])
    expect((await client.requirements.get()).requirements).toMatchObject([ours])
    await expectCount(page.getByText("This organisation contains sample data."), 0)
  })

  it("shows the other parts when one fails, and no steps to viewers", async () => {
    await using watched = await setup().open("/account", { as: setup().viewer })
    const { page } = watched
    await page.route("**/console/organisation/overview", (route) => route.abort())
    await page.route("**/console/api/coverage/summary*", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "unavailable", status: 503, detail: "The database is away." })
      })
    )
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("region", { name: "Latest activity" }).getByRole("list").first().waitFor()
    await page.getByText("The database is away.").first().waitFor()
    await page.unrouteAll()
    await visit(page)
    await page.getByRole("region", { name: "Totals" }).waitFor()
    await expectCount(page.getByText("First steps"), 0)
  })
})
