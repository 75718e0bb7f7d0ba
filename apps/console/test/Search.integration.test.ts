/**
 * Search of the whole organisation and shortcuts, by keyboard in a browser.
 */
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { clientOf, eventually, expectCount, expectFocus, expectTexts, expectValue, hostile } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectFits, takePicture, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("search everywhere in the console", () => {
  const setup = useSetup()

  it("finds pages, sites, portfolios and documents, and remembers what was opened", async () => {
    await using watched = await setup().open("/sites")
    const { page } = watched
    const { keyboard } = page
    await page.getByText("There are no sites yet").waitFor()
    const client = clientOf(page)
    const portfolio = await client.portfolios.create({ name: "Meadows of the south", externalId: "SAP-7" })
    const site = await client.sites.create({
      siteName: "Long Meadow",
      capacity: 1,
      unit: "MW",
      address: "1 Solar Road"
    })
    await client.sites.create({ siteName: hostile, capacity: 1, unit: "MW" })
    for (const name of ["one", "two", "three", "four", "five", "six"])
      await client.sites.create({ siteName: `Ridge ${name}`, capacity: 1, unit: "MW" })
    const files = [{ filename: "meadow lease.pdf", mimeType: "application/pdf" }]
    const { results } = await client.documents.issueUploads({ siteId: site.id, fileType: "documents", files })
    const [document] = results
    if (document?.success !== true) throw new Error("the document was refused")

    const opener = page.getByRole("button", { name: "Search everywhere" })
    const dialog = page.getByRole("dialog", { name: "Search everywhere" })
    const box = dialog.getByRole("combobox")
    const options = dialog.getByRole("option")
    const active = () =>
      box.evaluate(
        (box) => window.document.getElementById(box.getAttribute("aria-activedescendant") ?? "")?.textContent
      )
    const expectActive = (text: string) => eventually(async () => expect(await active()).toContain(text))
    const search = async (text: string) => {
      await keyboard.press("Control+K")
      await expectFocus(box)
      await keyboard.type(text)
    }

    // The focus returns to the button.
    await opener.focus()
    await keyboard.press("Enter")
    await dialog.getByRole("group", { name: "Pages" }).waitFor()
    await expectActive("New site")
    await keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await expectFocus(opener)

    await search("meadow")
    await dialog.getByText("3 results").waitFor()
    // The name of a document's site follows.
    await expectTexts(options, ["Long Meadow1 Solar Road", "Meadows of the southSAP-7", "meadow lease.pdfLong Meadow"])
    await expectActive("Long Meadow")
    await expectFits(page)
    await takePicture(page, "search")
    await keyboard.press("ArrowDown")
    await expectActive("Meadows of the south")
    await keyboard.press("Enter")
    await page.waitForURL(`/portfolios/${portfolio.id}`)
    await eventually(async () => expect(await page.locator(":focus").getAttribute("id")).toBe("main"))

    await search("lease")
    await dialog.getByText("1 result").waitFor()
    await keyboard.press("Enter")
    await page.waitForURL(`/sites/${site.id}/documents?document=${document.documentId}`)
    await visit(page, "/portfolios")
    await page.getByRole("heading", { level: 1 }).waitFor()

    // Opened last, first.
    await search("")
    const recent = dialog.getByRole("group", { name: "Recently opened" }).getByRole("option")
    await expectTexts(recent, ["meadow lease.pdfLong Meadow", "Meadows of the southSAP-7"])
    await keyboard.type("onerror")
    await dialog.getByRole("option", { name: hostile }).waitFor()
    await box.fill("nothing of this name")
    await dialog.getByText("Nothing found for “nothing of this name”.").waitFor()
    await expectCount(options, 0)
    await expectAccessible(page)
    await box.fill("ridge")
    await dialog.getByText("The first 5 results; there are more.").waitFor()
    await page.route(/\/console\/api\/sites/, (route) => route.fulfill({ status: 400, body: "no" }))
    await box.fill("long meadow")
    await dialog.getByRole("alert").waitFor()
    await page.unroute(/\/console\/api\/sites/)
    await box.fill("coverage")
    await expectActive("Coverage")
    await keyboard.press("Enter")
    await page.waitForURL("/coverage")
  })

  it("offers actions, which open their dialogs", async () => {
    await using watched = await setup().open("/coverage")
    const { page } = watched
    const { keyboard } = page
    const search = page.getByRole("dialog", { name: "Search everywhere" })
    const open = async (text: string) => {
      await page.getByRole("heading", { level: 1 }).waitFor()
      await keyboard.press("Control+K")
      await expectFocus(search.getByRole("combobox"))
      await keyboard.type(text)
    }
    for (const [text, dialog] of [
      ["new s", "New site"],
      ["upload", "Upload files"],
      ["new p", "New portfolio"],
      ["invite", "Invite a user"]
    ] as const) {
      await open(text)
      await search.getByRole("option").filter({ visible: true }).first().waitFor()
      await keyboard.press("Enter")
      await page.getByRole("dialog", { name: dialog, exact: true }).waitFor()
      // The first one closes the choices of a field.
      await eventually(async () => {
        await keyboard.press("Escape")
        expect(await page.getByRole("dialog").count()).toBe(0)
      })
    }
  })

  it("takes the keys that are pressed while its code is loading", async () => {
    await using watched = await setup().open("/", { own: true })
    const { page } = watched
    const { keyboard } = page
    await page.getByRole("heading", { level: 1 }).waitFor()
    const loading = Promise.withResolvers<void>()
    await page.route(/assets\/SearchDialog/, async (route) => {
      await loading.promise
      return route.continue()
    })
    await keyboard.press("Control+K")
    await keyboard.type("gx")
    await keyboard.press("Backspace")
    await keyboard.type("s?")
    loading.resolve()
    await keyboard.type("1")
    const search = page.getByRole("dialog", { name: "Search everywhere" }).getByRole("combobox")
    await expectFocus(search)
    await keyboard.type("2")
    await expectValue(search, "gs?12")
    expect(new URL(page.url()).pathname).toBe("/")
  })

  it("has shortcuts on each page, but not in fields and dialogs, until those of one key are switched off", async () => {
    await using watched = await setup().open("/")
    const { page } = watched
    const { keyboard } = page
    await page.getByRole("heading", { level: 1 }).waitFor()
    for (const [key, path] of [
      ["s", "/sites"],
      ["o", "/"],
      ["d", "/documents"]
    ] as const) {
      // The second key has to follow within 1.5 s, which a busy machine can miss.
      await eventually(async () => {
        await keyboard.press("g")
        await keyboard.press(key)
        await page.waitForURL(path, { timeout: 2_000 })
      })
    }
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    await keyboard.press("?")
    await keys.getByText("In the list of documents").waitFor()
    await expectFits(page)
    await takePicture(page, "shortcuts")
    await keyboard.press("g")
    await keyboard.press("s")
    await keyboard.press("Escape")
    await keys.waitFor({ state: "detached" })
    expect(new URL(page.url()).pathname).toBe("/documents")
    const box = page.getByRole("searchbox")
    await box.waitFor()
    await keyboard.press("/")
    await expectFocus(box)
    await keyboard.type("gs/?")
    await expectValue(box, "gs/?")
    await expectCount(page.getByRole("dialog"), 0)
    expect(new URL(page.url()).pathname).toBe("/documents")

    await visit(page, "/account")
    const choice = page.getByRole("switch", { name: "Use shortcuts of one key" })
    await choice.uncheck()
    await choice.blur()
    for (const key of ["?", "g", "s"]) await keyboard.press(key)
    await keyboard.press("Control+K")
    const search = page.getByRole("dialog", { name: "Search everywhere" })
    await search.waitFor()
    expect(new URL(page.url()).pathname).toBe("/account")
    await expectCount(page.getByRole("dialog"), 1)
    await expectCount(search.getByText("Press ?"), 0)
    await keyboard.press("Escape")
    await visit(page)
    await eventually(async () => expect(await choice.isChecked()).toBe(false))
    await choice.check()
    await choice.blur()
    await keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
  })
})
