/**
 * The list of sites: filters, columns, saved views, selection and actions on many sites.
 */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { choose, clientOf, eventually, expectCount, expectTexts, expectValue } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectAccessibleInBothSchemes, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("the list of sites in the console", () => {
  const setup = useSetup()

  const rowsOf = (page: Page) => page.getByRole("table", { name: "Sites" }).locator("tbody tr")

  const expectNames = (page: Page, names: ReadonlyArray<string>) => expectTexts(rowsOf(page).getByRole("link"), names)

  /** Requests for lists of sites that the page has sent. */
  const listsOf = (page: Page) => {
    const lists: Array<URLSearchParams> = []
    page.on("request", (request) => {
      const url = new URL(request.url())
      if (url.pathname === "/console/api/sites" && request.method() === "GET") lists.push(url.searchParams)
    })
    return lists
  }

  it("searches, filters, sorts and paginates on the server, with one bounded request per view", async () => {
    await using watched = await (await setup().another()).open("/sites")
    const { page } = watched
    const { documents: _, portfolios, requirements, sites } = clientOf(page)
    const { id: portfolioId } = await portfolios.create({ name: "Alpha" })
    const many = Array.from({ length: 60 }, (_, index) => ({
      siteName: `Field ${String(index).padStart(3, "0")}`,
      capacity: 1_000 - index,
      unit: index % 2 === 0 ? ("kW" as const) : ("MW" as const),
      externalId: `SAP-${index}`,
      tags: index % 10 === 0 ? ["roof", "leased"] : index % 5 === 0 ? ["roof"] : [],
      portfolioId: index < 3 ? portfolioId : null
    }))
    const names = many.map(({ siteName }) => siteName)
    await sites.bulk({ sites: many })
    const lists = listsOf(page)
    await visit(page, "/sites?unit=kW&sort=capacityKw")
    await eventually(async () => expect(await rowsOf(page).first().textContent()).toContain("Field 058"))
    await page.getByPlaceholder("Any tag").fill("roof")
    await page.keyboard.press("Enter")
    await expectNames(page, names.filter((_, index) => index % 10 === 0).toReversed())
    expect(new URL(page.url()).search).toBe("?tag=roof&unit=kW&sort=capacityKw")
    const capacity = page.getByRole("columnheader", { name: "Capacity" })
    await capacity.getByRole("button").click()
    await eventually(async () => expect(await capacity.getAttribute("aria-sort")).toBe("descending"))
    await rowsOf(page).first().filter({ hasText: "1,000 kW" }).waitFor()
    const box = page.getByRole("searchbox")
    await box.fill("sap-41")
    await page.getByText("No site fits this").waitFor()
    await page.getByRole("link", { name: "Show all sites" }).click()
    await expectCount(rowsOf(page), 50)
    await expectValue(box, "")
    await visit(page, "/sites?portfolio=none&search=field+00")
    await expectNames(page, names.slice(3, 10))
    expect(lists.every((list) => Number(list.get("limit")) <= 200)).toBe(true)
    // A page of its own, that the history and a shared link lead to.
    await visit(page, "/sites?sort=createdAt&order=desc")
    await page.getByText("60 sites, 1–50", { exact: true }).waitFor()
    await page.getByRole("checkbox", { name: "Select all sites of this page" }).check()
    await page.getByRole("button", { name: "Select all 60 sites found" }).click()
    await page.getByText("60 selected, 50 shown").waitFor()
    await page.getByRole("button", { name: "Clear selection" }).click()
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("51 to 60", { exact: true }).waitFor()
    await page.getByText("60 sites, 51–60", { exact: true }).waitFor()
    await visit(page, "/sites?search=field")
    await page.getByText("60 sites, 1–50", { exact: true }).waitFor()
    await visit(page, "/sites?sort=createdAt&order=desc")
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("60 sites, 51–60", { exact: true }).waitFor()
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export CSV" }).click()
    const csv = await readFile(await (await download).path(), "utf8")
    expect(csv.trim().split("\r\n")).toHaveLength(61)
    const second = page.url()
    const first = await rowsOf(page).first().textContent()
    await page.reload()
    await eventually(async () => expect(await rowsOf(page).first().textContent()).toBe(first))
    await page.goBack()
    await page.getByText("1 to 50", { exact: true }).waitFor()
    await page.goForward()
    await page.getByText("51 to 60", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Previous page" }).click()
    await page.getByText("1 to 50", { exact: true }).waitFor()
    // The cursor of another order leads to the first page.
    await visit(page, second.slice(setup().server.origin.length).replace("order=desc", "order=asc"))
    await page.getByText("1 to 50", { exact: true }).waitFor()
    await requirements.replace({ requirements: [{ documentType: "insurance", portfolioId }] })
    await visit(page)
    await choose(page, "Health", "Missing")
    await expectNames(page, names.slice(0, 3))
    await page.getByRole("searchbox").fill("002")
    await expectNames(page, ["Field 002"])
    // The most urgent first, in the order of their names, page by page.
    await visit(page, "/sites")
    const health = page.getByRole("columnheader", { name: "Health" })
    await health.getByRole("button").click()
    await eventually(async () => expect(await health.getAttribute("aria-sort")).toBe("ascending"))
    await expectNames(page, names.slice(0, 50))
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("51 to 60", { exact: true }).waitFor()
    await health.getByRole("button").click()
    await rowsOf(page).first().filter({ hasText: "Field 059" }).waitFor()
    // A step that is pressed when the address has changed, and the list has not, belongs to no page of the new order.
    await visit(page, "/sites")
    await page.getByText("1 to 50", { exact: true }).waitFor()
    const next = await page.getByRole("button", { name: "Next page" }).elementHandle()
    await health.getByRole("button").evaluate((button, next) => {
      const replaceState = history.replaceState
      history.replaceState = (...args) => {
        history.replaceState = replaceState
        history.replaceState(...args)
        ;(next as HTMLButtonElement).click()
      }
      ;(button as HTMLButtonElement).click()
    }, next)
    await eventually(async () => expect(await health.getAttribute("aria-sort")).toBe("ascending"))
    await page.getByText("1 to 50", { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe("?sort=health")
  })

  it("keeps chosen columns and saved views for the user, and shares both by a link", async () => {
    const site = { siteName: "Long Meadow", capacity: 1, unit: "MW", externalId: "ERP-1", tags: ["pilot"] } as const
    await setup().client.sites.create(site)
    await using watched = await setup().open("/sites?tag=pilot&sort=updatedAt&order=desc", { width: 1440 })
    const { page } = watched
    const headers = page.getByRole("columnheader")
    await page.getByRole("button", { name: "Columns" }).click()
    for (const name of ["External id", "Tags", "Changed"]) await page.getByRole("checkbox", { name }).check()
    await page.getByRole("checkbox", { name: "Address" }).uncheck()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    const shown = ["Name", "External id", "Capacity", "Portfolio", "Tags", "Changed"]
    const expectColumns = () =>
      eventually(async () =>
        expect((await headers.allTextContents()).filter((name) => shown.includes(name))).toEqual(shown)
      )
    await expectColumns()
    await page.getByRole("button", { name: "Saved views" }).click()
    await page.getByLabel("Name of the view").fill("Pilots")
    await page.keyboard.press("Enter")
    await page.getByText("The view Pilots was saved.").waitFor()
    await visit(page, "/sites")
    await expectColumns()
    await expectCount(headers.filter({ hasText: "Address" }), 0)
    await page.getByRole("button", { name: "Saved views" }).click()
    await page.getByRole("link", { name: "Pilots" }).waitFor()
    await takePicture(page, "site-views")
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("button", { name: "Copy the link to the view Pilots" }).click()
    await page.getByRole("button", { name: "The link to the view Pilots was copied" }).waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const columns = "health.capacity.portfolio.externalId.tags.updated"
    const query = `?tag=pilot&sort=updatedAt&order=desc&columns=${columns}`
    expect(link).toBe(`${setup().server.origin}/sites${query}`)
    await page.getByRole("link", { name: "Pilots" }).click()
    await expectNames(page, ["Long Meadow"])
    expect(new URL(page.url()).search).toBe(query)
    // A colleague, who has chosen no columns, sees those of the view, and keeps them while searching.
    await using other = await setup().open(`/sites${query}`, { width: 1440, own: true })
    await other.page.getByRole("columnheader", { name: "External id" }).waitFor()
    await other.page.getByRole("searchbox").fill("meadow")
    await other.page.waitForURL((url) => url.searchParams.get("search") === "meadow")
    expect(new URL(other.page.url()).searchParams.get("columns")).toBe(columns)
    await expectCount(other.page.getByRole("columnheader", { name: "Address" }), 0)
    await page.getByRole("button", { name: "Saved views" }).click()
    await page.getByRole("button", { name: "Share the view Pilots with colleagues" }).click()
    const shared = page.getByRole("group", { name: "Shared in the organisation" })
    await shared.getByRole("link", { name: "Pilots" }).waitFor()
    await expectCount(page.getByRole("link", { name: "Pilots" }), 1)
    await expectAccessibleInBothSchemes(page)
    await using viewer = await setup().open("/sites", { as: setup().viewer, own: true })
    await viewer.page.getByRole("button", { name: "Saved views" }).click()
    await viewer.page.getByRole("link", { name: "Pilots" }).click()
    await viewer.page.waitForURL(`/sites${query}`)
    await viewer.page.getByRole("button", { name: "Saved views" }).click()
    await viewer.page.getByRole("button", { name: "Copy the link to the view Pilots" }).waitFor()
    await expectCount(viewer.page.getByRole("button", { name: "Delete the view Pilots" }), 0)
    // Another view of the name stays the user's own, and replaces none of a colleague.
    await page.getByLabel("Name of the view").fill("Pilots")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Saved views" }).click()
    await expectCount(page.getByRole("button", { name: "Delete the view Pilots" }), 2)
    await expectCount(page.getByRole("button", { name: "Share the view Pilots" }), 0)
    await page.getByRole("button", { name: "Delete the view Pilots" }).first().click()
    await page.getByRole("button", { name: "Delete the view Pilots" }).click()
    await page.getByText("No view is saved yet.").waitFor()
  })

  it("changes tags of selected sites and deletes them, and reports what failed", async () => {
    const { sites } = setup().client
    const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    await sites.bulk({
      sites: ["Bulk A", "Bulk B", "Bulk C", "Bulk D"].map((siteName, index) => ({
        siteName,
        capacity: 1,
        unit: "MW",
        tags: index === 3 ? tags : ["old"]
      }))
    })
    await using watched = await setup().open("/sites?search=bulk")
    const { page } = watched
    await page.getByRole("checkbox", { name: "Select all sites of this page" }).check()
    await page.getByText("4 selected", { exact: true }).waitFor()
    await page.getByRole("searchbox").fill("elsewhere")
    await page.getByText("4 selected, 0 shown").waitFor()
    const changed = (await sites.list({ q: "bulk" })).data.find(({ siteName }) => siteName === "Bulk B")
    if (changed !== undefined) await sites.update(changed.id, { tags: ["old", "theirs"] })
    await page.getByRole("button", { name: "Tags …" }).click()
    const dialog = page.getByRole("dialog", { name: "Change tags of 4 sites" })
    await dialog.getByRole("combobox", { name: "Tags to add" }).fill("new")
    await page.keyboard.press("Enter")
    await dialog.getByRole("combobox", { name: "Tags to remove" }).fill("old")
    await page.keyboard.press("Enter")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Change tags" }).click()
    await dialog.getByText("1 failed:").waitFor()
    await dialog.getByText(/^Bulk D: .*at most 20/i).waitFor()
    await expectAccessibleInBothSchemes(page)
    await dialog.getByRole("button", { name: "Close" }).last().click()
    expect((await sites.list({ q: "bulk", sort: "siteName" })).data.map((site) => site.tags)).toEqual([
      ["new"],
      ["theirs", "new"],
      ["new"],
      tags
    ])
    // The site that failed stays selected.
    await page.getByText("1 selected, 0 shown").waitFor()
    await page.getByRole("button", { name: "Clear selection" }).click()
    await page.getByRole("searchbox").fill("bulk")
    await expectNames(page, ["Bulk A", "Bulk B", "Bulk C", "Bulk D"])
    for (const name of ["Bulk A", "Bulk D"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check()
    await page.getByRole("button", { name: "Delete …" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete 2 sites" }).dblclick()
    await page.getByText("2 sites deleted.").waitFor()
    await expectNames(page, ["Bulk B", "Bulk C"])
  })
})
