/**
 * Input on the pages of sites: searches, numbers, tags and attributes.
 */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { choose, eventually, expectFocus, expectValue, faultAt } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectAccessibleInBothSchemes, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("input in the console", () => {
  const setup = useSetup()

  const searchedIn = (page: Page) => new URL(page.url()).searchParams.get("search")

  it("keeps every character of a search, typed or pasted, and shows what links and history search for", async () => {
    const { sites } = setup().client
    await sites.create({ siteName: "Long Meadow", capacity: 1, unit: "MW" })
    await sites.create({ siteName: "Quarry", capacity: 1, unit: "MW" })
    await using watched = await setup().open("/sites")
    const { context, page } = watched
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    const box = page.getByRole("searchbox")
    const expectSearch = (text: string) =>
      eventually(async () => expect([await box.inputValue(), searchedIn(page) ?? ""]).toEqual([text, text]))
    await box.click()
    await page.keyboard.type("meadow")
    await expectSearch("meadow")
    await page.getByText("1 site", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Long Meadow" }).click()
    await page.getByRole("heading", { name: "Long Meadow" }).waitFor()
    await page.goBack()
    await expectSearch("meadow")
    await box.fill("")
    await expectSearch("")
    await page.evaluate(() => navigator.clipboard.writeText("quarry"))
    await box.click()
    await page.keyboard.press("Control+V")
    await expectSearch("quarry")
    await page.getByText("1 site", { exact: true }).waitFor()
    // The order changes before the search has reached the address bar.
    await box.pressSequentially(" x")
    await page.getByRole("combobox", { name: "Portfolio" }).click()
    await page.getByRole("option", { name: "In no portfolio" }).click()
    await expectSearch("quarry x")
    await page.getByRole("link", { name: "Show all sites" }).click()
    await expectSearch("")
    await page.goBack()
    await expectSearch("quarry x")
  })

  it("reads numbers of both notations, and shows faults at their fields, the server's messages included", async () => {
    const { sites } = setup().client
    const site = await sites.create({ siteName: "Counted", capacity: 1_234_567.125, unit: "W", latitude: 51.5 })
    await using watched = await setup().open(`/sites/${site.id}`)
    const { page } = watched
    await page.getByText("1,234,567.125 W").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    const capacity = page.getByLabel("Capacity")
    await expectValue(capacity, "1234567.125")
    await capacity.fill("1.234")
    await page.getByLabel("Latitude").fill("north")
    await page.getByRole("button", { name: "Save" }).click()
    expect(await faultAt(capacity)).toContain("This can be 1.234 or 1,234: write 1.2340 or 1234")
    expect(await faultAt(page.getByLabel("Latitude"))).toContain("Enter a number such as 1234.5")
    await expectValue(capacity, "1.234")
    await expectFocus(capacity)

    const name = page.getByRole("textbox", { name: "Name", exact: true })
    await name.fill(" ")
    await capacity.fill("0")
    await page.getByLabel("Latitude").fill("95")
    await page.getByLabel("Name of the site manager").fill("Ada")
    await page.getByLabel("E-mail").fill("nobody")
    await page.getByRole("button", { name: "Save" }).click()
    expect(await faultAt(name)).toBe("Must not be empty")
    expect(await faultAt(capacity)).toBe("Must be greater than 0")
    expect(await faultAt(page.getByLabel("Latitude"))).toBe("Must be from -90 to 90")
    expect(await faultAt(page.getByLabel("E-mail"))).toBe("Must be an e-mail address")
    await expectAccessibleInBothSchemes(page)
    expect(await sites.get(site.id)).toEqual(site)
    await name.fill("Counted")
    await page.getByLabel("E-mail").fill("ada@example.com")
    await capacity.fill("1.234,5")
    await page.getByText("= 1,234.5 W", { exact: true }).waitFor()
    await page.getByLabel("Latitude").fill("-0,25")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Counted was saved.").waitFor()
    await page.getByText("1,234.5 W", { exact: true }).waitFor()
    expect(await sites.get(site.id)).toMatchObject({ capacity: 1_234.5, latitude: -0.25, version: 2 })
  })

  it("edits external id, tags and attributes, with the server's messages at their fields", async () => {
    const { sites } = setup().client
    await sites.create({ siteName: "Taken", capacity: 1, unit: "MW", externalId: "TAKEN" })
    await using watched = await setup().open("/sites?search=nothing")
    const { page } = watched
    await page.getByRole("button", { name: "New site" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("With data")
    await dialog.getByLabel("Capacity").fill("1")
    const externalId = dialog.getByRole("textbox", { name: "External id" })
    await externalId.fill("TAKEN")
    await dialog.getByRole("combobox", { name: "Tags" }).fill("roof")
    await page.keyboard.press("Enter")
    for (const [name, type, value] of [
      ["pitch", "Number", "12.5"],
      ["owner", "Text", "Ada"],
      ["shaded", "Yes or no", ""]
    ] as const) {
      await dialog.getByRole("button", { name: "Add attribute" }).click()
      const row = dialog.getByRole("group", { name: "New attribute" })
      await row.getByRole("combobox", { name: "Type" }).click()
      await page.getByRole("option", { name: type }).click()
      if (value !== "") await row.getByLabel("Value").fill(value)
      await row.getByRole("textbox", { name: "Name of the attribute" }).fill(name)
    }
    await expectAccessible(page)
    await takePicture(page, "site-form")
    await dialog.getByRole("button", { name: "Create site" }).click()
    expect(await faultAt(externalId)).toMatch(/external/i)
    await externalId.fill("ERP-77")
    await dialog.getByRole("button", { name: "Create site" }).click()
    await page.getByText("With data was created.").waitFor()
    const [created] = (await sites.list({ externalId: "ERP-77" })).data
    expect(created).toMatchObject({ tags: ["roof"], attributes: { pitch: 12.5, owner: "Ada", shaded: true } })
  })

  it("writes numbers and dates in the notation that the user chooses", async () => {
    const site = await setup().client.sites.create({ siteName: "Solarfeld", capacity: 1_234.5, unit: "kWp" })
    await using watched = await setup().open("/account", { own: true })
    const { page } = watched
    const reloaded = page.waitForEvent("load")
    await choose(page, "Numbers and dates", "German (Germany)")
    await reloaded
    await visit(page, `/sites/${site.id}`)
    await page.getByText("1.234,5 kWp").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    await expectValue(page.getByLabel("Capacity"), "1234,5")
    await page.getByLabel("Capacity").fill("1.234.567,8")
    await page.getByText("= 1.234.567,8 kWp", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Solarfeld was saved.").waitFor()
    expect(await setup().client.sites.get(site.id)).toMatchObject({ capacity: 1_234_567.8 })
  })
})
