/** Portfolios and the map in a browser: lists, one portfolio, moved sites, totals, markers. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { choose, clientOf, eventually, expectCount, hostile } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectAccessibleInBothSchemes, expectFits, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("portfolios and the map in the console", () => {
  const setup = useSetup()

  const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name })

  const addSites = async (portfolioId: string | null = null, { sites } = setup().client) => {
    const add = (siteName: string, capacity: number, latitude: number | null, longitude: number | null) =>
      sites.create({ siteName, capacity, unit: "kWp", latitude, longitude, portfolioId })
    return Promise.all([
      add("Highland Loch", 700, 57.3, -4.5),
      add("Quinta do Sol", 300, 37.2, -7.9),
      ...Array.from({ length: 5 }, (_, index) => add(`Isar ${index}`, 10, 48.1 + index / 10, 11.5)),
      add("Somewhere", 5, null, null)
    ])
  }

  it("creates portfolios from lines of names, all or none", async () => {
    await using watched = await (await setup().another()).open("/portfolios")
    const { page } = watched
    await page.getByText("There are no portfolios yet").waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "New portfolio" }).click()
    const dialog = page.getByRole("dialog", { name: "New portfolio" })
    await dialog.getByRole("textbox", { name: "Name" }).fill("x".repeat(201))
    await dialog.getByRole("button", { name: "Create portfolio" }).click()
    await dialog.getByText("Must have at most 200 characters").waitFor()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Several at once …" }).click()
    const names = page.getByRole("textbox", { name: "Names" })
    await names.fill(`North\n\n${"x".repeat(201)}\nSouth`)
    await page.getByRole("button", { name: "Create 3 portfolios" }).click()
    await page.getByText("Line 3: must have at most 200 characters").waitFor()
    await expectAccessible(page)
    expect((await clientOf(page).portfolios.list()).data).toEqual([])
    await names.fill("North\tN-1\nSouth")
    await page.getByRole("button", { name: "Create 2 portfolios" }).dblclick()
    await page.getByRole("link", { name: "South" }).waitFor()
    expect((await clientOf(page).portfolios.list()).data.map(({ externalId, name }) => [name, externalId])).toEqual([
      ["North", "N-1"],
      ["South", null]
    ])
  })

  it("moves selected sites between portfolios and out of them, and updates the totals", async () => {
    const { client, open } = await setup().another()
    const { portfolios, sites } = client
    const [, beta] = await portfolios.createMany([{ name: "Alpha" }, { name: "Beta" }])
    await addSites(null, client)
    await sites.create({ siteName: "Barn Roof", capacity: 420, unit: "kWp", portfolioId: beta?.id ?? null })
    await using watched = await open("/sites")
    const { page } = watched
    for (const name of ["Highland Loch", "Quinta do Sol"]) await page.getByLabel(`Select ${name}`).check()
    await page.getByText("2 selected").waitFor()
    await takePicture(page, "sites")
    await expectFits(page)
    await page.getByRole("button", { name: "Move to …" }).click()
    await choose(page, "Portfolio to move to", "Alpha")
    await page.getByRole("button", { name: "Move", exact: true }).dblclick()
    await page.getByText("2 sites moved to Alpha.").waitFor()
    await choose(page, "Portfolio", "Alpha")
    await page.getByText("2 sites", { exact: true }).waitFor()
    await page.getByLabel("Select Quinta do Sol").check()
    await page.getByRole("button", { name: "Take out" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Take out" }).click()
    await page.getByText("1 site taken out of Alpha.").waitFor()
    await page.getByText("1 site", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Portfolios" }).click()
    await eventually(async () => expect(await rowOf(page, "Alpha").textContent()).toContain("Alpha1700 kW"))
    const chart = page.getByRole("region", { name: "Capacity by portfolio" })
    const largest = chart.getByRole("listitem").first()
    await eventually(async () => expect(await largest.textContent()).toBe("Alpha700 kW"))
    await chart.getByRole("listitem").last().getByText("In no portfolio").waitFor()
    await expectAccessibleInBothSchemes(page)
    await takePicture(page, "portfolios")
  })

  it("edits a portfolio, and deletes it without its sites", async () => {
    const { client } = setup()
    const { id } = await client.portfolios.create({ name: "Gamma" })
    const { id: siteId } = await client.sites.create({ siteName: "Stays", capacity: 1, unit: "MW", portfolioId: id })
    await using watched = await setup().open("/portfolios")
    const { page } = watched
    await page.getByRole("button", { name: "Actions for Gamma" }).click()
    await page.getByRole("menuitem", { name: "Edit …" }).click()
    const name = page.getByRole("textbox", { name: "Name" })
    const save = page.getByRole("button", { name: "Save", exact: true })
    await name.fill(" ")
    await save.click()
    await page.getByText("must not be empty").waitFor()
    await name.fill("Delta")
    await page.getByRole("textbox", { name: "External id" }).fill("D-4")
    // Another user renames it first.
    await client.portfolios.update(id, { name: "Epsilon" })
    await save.click()
    await page.getByText("It was changed meanwhile, and is called Epsilon.").waitFor()
    await save.click()
    await page.getByRole("link", { name: "Delta" }).waitFor()
    expect(await client.portfolios.get(id)).toMatchObject({ name: "Delta", externalId: "D-4" })
    await page.getByRole("button", { name: "Actions for Delta" }).click()
    await page.getByRole("menuitem", { name: "Delete …" }).click()
    await page.getByText("Its site stays, in no portfolio.").waitFor()
    await page.getByRole("button", { name: "Delete portfolio" }).click()
    await page.getByText("Delta was deleted.").waitFor()
    expect(await client.sites.get(siteId)).toMatchObject({ portfolioId: null })
  })

  it("shows one portfolio with its sites, adds sites and takes them out", async () => {
    const { portfolios, requirements, sites } = setup().client
    await requirements.replace({ requirements: [{ documentType: "insurance" }] })
    const { id } = await portfolios.create({ name: "Orchards", externalId: "OR-1" })
    const at = { unit: "kWp", latitude: 51.2, longitude: 0.5 } as const
    const { id: appleId } = await sites.create({ siteName: "Apple Row", capacity: 100.4, portfolioId: id, ...at })
    await sites.create({ siteName: "Pear Row", address: "Kent", capacity: 0.6, ...at })
    await using watched = await setup().open("/portfolios?search=or-1")
    const { page } = watched
    await page.getByText(/^Shown: 1 portfolio, 1 site, 100\.4 kW\. All: \d+ portfolios?,/).waitFor()
    await page.getByRole("searchbox").fill("nowhere")
    await page.getByText("No portfolio is called like this").waitFor()
    await page.getByRole("searchbox").fill("or-1")
    await page.getByRole("link", { name: "Orchards" }).click()
    await page.getByText("0 of 1 site complete.").waitFor()
    await page.getByLabel("Select Apple Row").waitFor()
    const required = page.getByRole("table", { name: "Required documents" })
    expect(await required.getByRole("link", { name: "1", exact: true }).getAttribute("href")).toBe(
      `/coverage?portfolio=${id}&state=missing&documentType=insurance`
    )
    await page.getByRole("button", { name: "Add sites" }).click()
    await page.getByRole("combobox", { name: "Sites" }).fill("pear kent")
    await page.getByRole("option", { name: "Pear Row" }).click()
    await page.getByRole("button", { name: "Add 1 site" }).click()
    await page.getByText("1 site added to Orchards.").waitFor()
    await page.getByText("0 of 2 sites complete.").waitFor()
    const totals = page.getByRole("region", { name: "Totals" })
    await totals.getByText("101 kW", { exact: true }).waitFor()
    await takePicture(page, "portfolio")
    await expectFits(page)
    await page.getByLabel("Select Pear Row").check()
    await page.getByRole("button", { name: "Take out" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Take out" }).click()
    await totals.getByText("100.4 kW", { exact: true }).waitFor()
    await rowOf(page, "Pear Row").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Show as map" }).click()
    await page.getByRole("region", { name: /^Map/ }).getByRole("button", { name: "Apple Row: Missing" }).waitFor()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText("Its site stays, in no portfolio.").waitFor()
    await page.getByRole("button", { name: "Delete portfolio" }).click()
    await page.getByRole("heading", { name: "Portfolios", exact: true }).waitFor()
    expect(await sites.get(appleId)).toMatchObject({ portfolioId: null })
    await visit(page, `/portfolios/${id}`)
    await page.getByText("There is no such portfolio").waitFor()
  })

  it("shows sites on the map, clustered, lists those without a position, and shows hostile names as text", async () => {
    const { portfolios, sites } = setup().client
    const { id } = await portfolios.create({ name: "Europe" })
    const { id: hostileId } = await portfolios.create({ name: hostile })
    await addSites(id)
    await sites.create({
      siteName: hostile,
      capacity: 9,
      unit: "GW",
      portfolioId: hostileId,
      latitude: 64.1,
      longitude: -21.9
    })
    await using watched = await setup().open(`/sites?portfolio=${id}&view=map`)
    const { page } = watched
    const marker = (name: string) => page.getByRole("region", { name: /^Map/ }).getByRole("button", { name })
    const placeOf = async (name: string) => {
      const box = await marker(name).boundingBox()
      return { x: box?.x ?? Number.NaN, y: box?.y ?? Number.NaN }
    }
    const cluster = "5 sites here, zoom in"
    await marker(cluster).waitFor()
    await page.getByRole("status").getByText("8 sites").waitFor()
    await eventually(async () => {
      const [scotland, portugal, bavaria] = [
        await placeOf("Highland Loch"),
        await placeOf("Quinta do Sol"),
        await placeOf(cluster)
      ]
      expect([scotland.y < bavaria.y, bavaria.y < portugal.y]).toEqual([true, true])
      expect([portugal.x < scotland.x, scotland.x < bavaria.x]).toEqual([true, true])
    })
    await page.locator("path.map-country").first().waitFor({ state: "attached" })
    await page.getByText("1 site without a position").waitFor()
    await page.getByRole("link", { name: "Somewhere" }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await takePicture(page, "map")
    // A move asks for the sites of the new section.
    const asked = page.waitForRequest((request) => request.url().includes("within="))
    await page.getByRole("region", { name: /^Map/ }).focus()
    await page.keyboard.press("ArrowRight")
    await asked
    // A cluster splits, by keyboard too.
    await marker(cluster).focus()
    await page.keyboard.press("Enter")
    await marker("Isar 4").focus()
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Isar 4" }).click()
    await page.getByRole("heading", { name: "Isar 4" }).waitFor()
    await marker("Isar 4").waitFor()
    await visit(page, `/sites?portfolio=${hostileId}&view=map`)
    await marker(hostile).click()
    await page.getByRole("link", { name: hostile }).waitFor()
    await visit(page, "/portfolios")
    await page.getByRole("region", { name: "Capacity by portfolio" }).getByText(hostile).waitFor()
    await page.getByRole("link", { name: hostile }).waitFor()
    await expectCount(page.locator('img[src="x"]'), 0)
  })
})
