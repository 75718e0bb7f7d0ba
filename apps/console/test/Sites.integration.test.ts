/**
 * Sites in a browser: created, changed, found, deleted.
 */
import { makeClient } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { clientOf, expectCount, expectFocus, expectValue, hostile } from "./Fixtures.ts"
import { answersArrived, visit } from "./KeptPage.ts"
import { expectAccessible, expectNoSidewaysScrolling, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("sites in the console", () => {
  const setup = useSetup()

  it("shows a hint without sites, and creates one site on repeated clicks", async () => {
    await using watched = await (await setup().another()).open("/sites")
    const { page } = watched
    await page.getByText("There are no sites yet").waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "New site" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Long Meadow")
    await page.getByLabel("Capacity").fill("48.6")
    const create = page.getByRole("button", { name: "Create site" })
    // Clicks once more if the button can be clicked after the request, before the dialog has gone.
    await create.evaluate((button: HTMLButtonElement) => {
      let wasDisabled = false
      const click = () => {
        if (wasDisabled && button.isConnected && !button.disabled) button.click()
        wasDisabled ||= button.disabled
      }
      new MutationObserver(click).observe(document.body, { attributes: true, childList: true, subtree: true })
    })
    await create.dblclick()
    await page.getByRole("link", { name: "Long Meadow" }).waitFor()
    await page.getByText("1 site", { exact: true }).waitFor()
    await page.getByText("Long Meadow was created.").waitFor()
    await page.getByRole("link", { name: "Open it" }).click()
    await page.getByRole("heading", { level: 1, name: "Long Meadow" }).waitFor()
    const { data } = await clientOf(page).sites.list()
    expect(data.map(({ capacity, siteName, unit }) => [siteName, capacity, unit])).toEqual([
      ["Long Meadow", 48.6, "kWp"]
    ])
  })

  it("creates a site by keyboard alone, and asks before Escape throws a half-filled form away", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    const { keyboard } = page
    const form = page.getByRole("dialog", { name: "New site" })
    const question = page.getByRole("dialog", { name: "Discard your input?" })
    const name = form.getByRole("textbox", { name: "Name", exact: true })
    const opener = page.getByRole("button", { name: "New site" })
    const focused = () =>
      page.evaluate(() => (document.activeElement?.tagName === "BUTTON" ? document.activeElement.textContent : ""))
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 30 && (await focused()) !== text; presses += 1) await keyboard.press("Tab")
      expect(await focused()).toBe(text)
    }
    await opener.waitFor()
    await tabTo("New site")
    await keyboard.press("Enter")
    await expectFocus(name)
    await keyboard.press("Escape")
    await form.waitFor({ state: "detached" })
    // The focus returns to the button that opened the dialog.
    await expectFocus(opener)
    await keyboard.press("Enter")
    await expectFocus(name)
    await keyboard.type("By keyboard")
    await keyboard.press("Escape")
    await question.waitFor()
    await expectAccessible(page)
    await keyboard.press("Escape")
    await question.waitFor({ state: "detached" })
    await expectValue(name, "By keyboard")
    await name.focus()
    await keyboard.press("Tab")
    await keyboard.type("1.5")
    // The list opens at the chosen unit.
    await keyboard.press("Tab")
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await keyboard.press(key)
    await expectValue(form.getByRole("combobox", { name: "Unit" }), "MWp")
    await form.getByRole("textbox", { name: "Address" }).focus()
    await keyboard.type("1 Solar Road")
    await keyboard.press("Enter")
    await keyboard.type("Wells")
    await tabTo("Create site")
    await keyboard.press("Enter")
    await page.getByRole("link", { name: "By keyboard" }).waitFor()
    await expectFocus(opener)

    await keyboard.press("Enter")
    await name.fill("Half a site")
    await form.getByRole("button", { name: "Close" }).click()
    await question.getByRole("button", { name: "Discard" }).click()
    await form.waitFor({ state: "detached" })
    await page.getByRole("link", { name: "By keyboard" }).click()
    const shown = page.getByRole("definition").getByText("1 Solar Road")
    await shown.waitFor()
    expect(await shown.evaluate((element) => [element.textContent, getComputedStyle(element).whiteSpace])).toEqual([
      "1 Solar Road\nWells",
      "pre-line"
    ])
  })

  it("does not overwrite concurrent changes of another user", async () => {
    const { client } = setup()
    const site = await client.sites.create({ siteName: "Shared Field", capacity: 10, unit: "kWp" })
    await using watched = await setup().open(`/sites/${site.id}`)
    const { page } = watched
    await page.getByRole("button", { name: "Edit" }).click()
    await expectFocus(page.getByRole("textbox", { name: "Name", exact: true }))
    await page.getByLabel("Address").fill("1 Solar Road")
    await client.sites.update(site.id, { capacity: 12 })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Changed by them: capacity.").waitFor()
    expect(await client.sites.get(site.id)).toMatchObject({ capacity: 12, address: null })
    await page.getByRole("button", { name: "Keep my changes on top of theirs" }).click()
    await expectValue(page.getByLabel("Capacity"), "12")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Shared Field was saved.").waitFor()
    expect(await client.sites.get(site.id)).toMatchObject({ capacity: 12, address: "1 Solar Road" })
  })

  it("deletes a site after naming the documents deleted with it", async () => {
    const { client } = setup()
    const { id: siteId } = await client.sites.create({ siteName: hostile, capacity: 10, unit: "kWp" })
    const files = [{ filename: "a.txt", mimeType: "text/plain" }]
    await client.documents.issueUploads({ siteId, fileType: "documents", files })
    await using watched = await setup().open("/sites")
    const { page } = watched
    await page.getByRole("button", { name: `Actions for ${hostile}` }).waitFor()
    await page.getByRole("link", { name: hostile }).click()
    await page.getByRole("heading", { name: hostile }).waitFor()
    await expectCount(page.locator('img[src="x"]'), 0)
    await page.getByRole("button", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: `Delete ${hostile}?` })
    await dialog.getByText("1 document of the site and its file are deleted with it.").waitFor()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Delete site" }).dblclick()
    await page.getByText(`${hostile} was deleted.`).waitFor()
    await expectCount(page.locator('img[src="x"]'), 0)
    await page.getByRole("button", { name: "New site" }).waitFor()
    await visit(page, `/sites/${siteId}`)
    await page.getByRole("heading", { name: "There is no such site" }).waitFor()
    await expectAccessible(page)
  })

  it("shows the same page for a site of another organisation and for a missing site", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    const { origin, take } = setup().server
    const theirs = makeClient({ baseUrl: origin, apiKey: take("Others").apiKey })
    const { id: portfolioId } = await theirs.portfolios.create({ name: "Their portfolio" })
    const { id } = await theirs.sites.create({ siteName: "Their site", capacity: 1, unit: "MW", portfolioId })
    const missing = "01900000-0000-7000-8000-000000000000"
    const textAt = async (path: string, heading: string) => {
      await visit(page, path)
      await page.getByText(heading).waitFor()
      await answersArrived(page)
      return page.getByRole("main").textContent()
    }
    const absent = "There is no such site"
    const text = await textAt(`/sites/${missing}`, absent)
    expect(await textAt(`/sites/${id}`, absent)).toBe(text)
    expect(await textAt("/sites/anything", absent)).toBe(text)
    const none = "No site fits this"
    expect(await textAt(`/sites?portfolio=${portfolioId}`, none)).toBe(
      await textAt(`/sites?portfolio=${missing}`, none)
    )
  })

  it("fits a narrow screen with long names, the filters behind a button", async () => {
    const name = "W".repeat(200)
    const { portfolios, sites } = setup().client
    const long = { siteName: name, address: "W".repeat(500), capacity: 123_456.789, unit: "MWp" } as const
    const { id } = await sites.create(long)
    await portfolios.create({ name })
    await using watched = await setup().open("/sites?search=www", { width: 320, height: 640 })
    const { page } = watched
    await page.getByRole("table", { name: "Sites" }).locator("tbody tr").first().waitFor()
    await expectNoSidewaysScrolling(page)
    await page.getByRole("button", { name: "Filters" }).click()
    await page.getByPlaceholder("Any tag").waitFor()
    await page.getByRole("checkbox", { name: /^Select W/ }).check()
    await expectNoSidewaysScrolling(page)
    await expectAccessible(page)
    for (const path of ["/sites?view=map&search=www", "/portfolios", `/sites/${id}`]) {
      await visit(page, path)
      await page.getByText(name).first().waitFor()
      await expectNoSidewaysScrolling(page)
    }
  })
})
