/**
 * Sites in a browser: created, changed, found, deleted.
 */
import { makeClient } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { clientOf, eventually, expectCount, expectFocus, expectValue, faultAt, hostile } from "./Fixtures.ts"
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
    await page.getByRole("button", { name: "Create site" }).dblclick()
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

  it("asks before Escape throws a half-filled form away", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    const form = page.getByRole("dialog", { name: "New site" })
    const question = page.getByRole("dialog", { name: "Discard your input?" })
    await page.getByRole("button", { name: "New site" }).click()
    await expectFocus(form.getByRole("textbox", { name: "Name", exact: true }))
    await page.keyboard.press("Escape")
    await form.waitFor({ state: "detached" })

    await page.getByRole("button", { name: "New site" }).click()
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Half a site")
    await page.keyboard.press("Escape")
    await question.waitFor()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await question.waitFor({ state: "detached" })
    await expectValue(form.getByRole("textbox", { name: "Name", exact: true }), "Half a site")
    await form.getByRole("button", { name: "Close" }).click()
    await question.getByRole("button", { name: "Discard" }).click()
    await form.waitFor({ state: "detached" })
    await expectFocus(page.getByRole("button", { name: "New site" }))
  })

  it("creates a site by keyboard alone", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    const { keyboard } = page
    const focused = () =>
      page.evaluate(() => (document.activeElement?.tagName === "BUTTON" ? document.activeElement.textContent : ""))
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 30 && (await focused()) !== text; presses += 1) await keyboard.press("Tab")
      expect(await focused()).toBe(text)
    }
    await page.getByRole("button", { name: "New site" }).waitFor()
    await tabTo("New site")
    await keyboard.press("Enter")
    const name = page.getByRole("textbox", { name: "Name", exact: true })
    await expectFocus(name)
    await keyboard.type("By keyboard")
    await keyboard.press("Tab")
    await keyboard.type("1.5")
    await tabTo("Create site")
    await keyboard.press("Enter")
    await page.getByRole("link", { name: "By keyboard" }).waitFor()
    // The focus returns to the button that opened the dialog.
    await eventually(async () => expect(await focused()).toBe("New site"))
  })

  it("shows each of the server's messages at its field", async () => {
    const site = await setup().client.sites.create({ siteName: "Faulty Field", capacity: 10, unit: "kWp" })
    await using watched = await setup().open(`/sites/${site.id}`)
    const { page } = watched
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(" ")
    await page.getByLabel("Capacity").fill("0")
    await page.getByLabel("Latitude").fill("95")
    await page.getByLabel("Name of the site manager").fill("Ada")
    await page.getByLabel("E-mail").fill("nobody")
    await page.getByRole("button", { name: "Save" }).click()
    expect(await faultAt(page.getByRole("textbox", { name: "Name", exact: true }))).toBe("Must not be empty")
    expect(await faultAt(page.getByLabel("Capacity"))).toBe("Must be greater than 0")
    expect(await faultAt(page.getByLabel("Latitude"))).toBe("Must be from -90 to 90")
    expect(await faultAt(page.getByLabel("E-mail"))).toBe("Must be an e-mail address")
    await expectAccessible(page)
    expect(await clientOf(page).sites.get(site.id)).toEqual(site)
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

  it("searches by name and address, orders and paginates", async () => {
    const terrace = (index: number) =>
      ({ siteName: `Terrace ${index}`, address: `${index} Hÿde Lane`, capacity: index, unit: "MWp" }) as const
    // In one request: a server refuses more than fifty at a time.
    await setup().client.sites.bulk({ sites: Array.from({ length: 60 }, (_, index) => terrace(index + 1)) })
    await using watched = await setup().open("/sites")
    const { page } = watched
    const rows = page.getByRole("table", { name: "Sites" }).locator("tbody tr")
    await page.getByRole("searchbox").fill("hyde terrace")
    await page.getByText("50 sites on this page", { exact: true }).waitFor()
    await eventually(async () => expect(await rows.first().textContent()).toContain("Terrace 1"))
    await expectCount(rows, 50)
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("51 to 60", { exact: true }).waitFor()
    expect(await rows.count()).toBe(10)
    // The page is part of the address, and of the history.
    await page.reload()
    await page.getByText("51 to 60", { exact: true }).waitFor()
    await page.goBack()
    await page.getByText("1 to 50", { exact: true }).waitFor()
    await page.goForward()
    await page.getByRole("button", { name: "Previous page" }).click()
    await page.getByText("1 to 50", { exact: true }).waitFor()
    const capacity = page.getByRole("columnheader", { name: "Capacity" })
    for (const order of ["ascending", "descending"]) {
      await capacity.getByRole("button").click()
      await eventually(async () => expect(await capacity.getAttribute("aria-sort")).toBe(order))
    }
    await eventually(async () => expect(await rows.first().textContent()).toContain("60 MWp"))
    await page.getByRole("searchbox").fill("terrace 42")
    await expectCount(rows, 1)
    // The address bar keeps the view.
    await visit(page)
    await page.getByText("1 site", { exact: true }).waitFor()
    await page.getByRole("searchbox").fill("nowhere")
    await page.getByText("No site fits this").waitFor()
    await page.getByRole("link", { name: "Show all sites" }).click()
    await expectCount(rows, 50)
    await expectValue(page.getByRole("searchbox"), "")
  })

  it("deletes a site after naming the documents deleted with it", async () => {
    const { client } = setup()
    const { id: siteId } = await client.sites.create({ siteName: hostile, capacity: 10, unit: "kWp" })
    const files = [{ filename: "a.txt", mimeType: "text/plain" }]
    await client.documents.issueUploads({ siteId, fileType: "documents", files })
    await using watched = await setup().open(`/sites/${siteId}`)
    const { page } = watched
    await page.getByRole("heading", { name: hostile }).waitFor()
    await page.getByRole("button", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: `Delete ${hostile}?` })
    await dialog.getByText("1 document of the site and its file are deleted with it.").waitFor()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Delete site" }).dblclick()
    await page.getByText(`${hostile} was deleted.`).waitFor()
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

  it("fits a narrow screen", async () => {
    const long = { siteName: "M".repeat(200), address: "W".repeat(500), capacity: 123_456.789, unit: "MWp" } as const
    const { portfolios, sites } = setup().client
    const { id } = await sites.create(long)
    await portfolios.create({ name: "W".repeat(200) })
    const pages = [
      ["/sites?search=mmmm", long.siteName],
      ["/sites?view=map&search=mmmm", long.siteName],
      ["/portfolios", "W".repeat(200)],
      [`/sites/${id}`, long.siteName]
    ] as const
    await using watched = await setup().open("/sites", { width: 360, height: 740 })
    const { page } = watched
    for (const [path, text] of pages) {
      await visit(page, path)
      await page.getByText(text).first().waitFor()
      await expectNoSidewaysScrolling(page)
    }
  })
})
