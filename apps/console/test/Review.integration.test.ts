/**
 * Review of documents of all sites in a browser: one by one with keys, and many at once.
 */
import type { SolarSitesClient } from "@solar-sites/http-node/client"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { rowOf, uploadTo } from "./DocumentsSetup.ts"
import { clientOf, dayIn, eventually } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectContrast, expectFits, takePicture, useSetup } from "./Setup.ts"

const expectFocused = (page: Page, text: string) =>
  eventually(async () => expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(text))

/** Until the next load of the page, decisions can be undone for as long as a slow machine needs. */
const lengthenUndo = (page: Page) =>
  page.evaluate(() => {
    const { setTimeout } = window
    const longer = (millis: number | undefined) => (millis === 10_000 ? 1_000_000 : millis)
    window.setTimeout = ((run: () => void, millis?: number) => setTimeout(run, longer(millis))) as typeof setTimeout
  })

const rowsOf = (page: Page) => page.getByRole("table", { name: "Documents" }).locator("tbody tr")

describe.skipIf(executablePath === "")("the review of documents in the console", () => {
  const setup = useSetup()

  const createSite = (client: SolarSitesClient, siteName: string, portfolioId: string | null = null) =>
    client.sites.create({ siteName, capacity: 1, unit: "MW", portfolioId })

  it("reviews documents by keys, in the list and beside it", async () => {
    const { open } = await setup().another()
    await using watched = await open("/documents")
    const { page } = watched
    await page.getByText("Nothing to review").waitFor()
    await lengthenUndo(page)
    const client = clientOf(page)
    const { id: portfolioId } = await client.portfolios.create({ name: "Southern Fields" })
    const { id: rooftops } = await client.portfolios.create({ name: "Rooftops" })
    await client.requirements.replace({ requirements: [{ documentType: "invoice", portfolioId: rooftops }] })
    const meadow = await createSite(client, "Long Meadow", portfolioId)
    const roof = await createSite(client, "Barn Roof", rooftops)
    const [first] = await uploadTo(client, meadow.id, [
      { filename: "lease.png", documentType: "land_lease", validUntil: "2041-12-31" }
    ])
    await uploadTo(client, roof.id, [
      { filename: "insurance.png", documentType: "insurance", validUntil: dayIn(20) },
      { filename: "layout.png", documentType: "string_layout" },
      { filename: "invoice.png", documentType: "invoice" },
      { filename: "warranty.png", documentType: "warranty_information" }
    ])
    await visit(page)
    await page.getByText("5 documents", { exact: true }).waitFor()
    await rowOf(page, "lease.png").getByRole("link", { name: "Long Meadow" }).waitFor()
    await rowOf(page, "lease.png").getByText("Southern Fields").waitFor()
    await rowOf(page, "layout.png").getByRole("link", { name: "Barn Roof" }).waitFor()
    // Oldest first.
    await rowsOf(page).first().filter({ hasText: "lease.png" }).waitFor()
    await rowOf(page, "invoice.png").getByRole("checkbox").check()
    await page.getByText("1 selected", { exact: true }).waitFor()
    await takePicture(page, "documents")
    await expectFits(page)
    await page.getByRole("button", { name: "Clear selection" }).click()

    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.getByText("1 selected", { exact: true }).waitFor()
    await page.keyboard.press("x")
    await page.keyboard.press("a")
    // The focus goes on to the next document.
    await expectFocused(page, "insurance.png")
    await rowOf(page, "lease.png").waitFor({ state: "detached" })
    // The request waits for an undo.
    await page.getByText("lease.png is approved.").waitFor()
    if (first !== undefined) expect(await client.documents.get(first)).toMatchObject({ status: "uploaded" })
    await page.keyboard.press("z")
    await expectFocused(page, "lease.png")
    await page.getByText("lease.png is approved.").waitFor({ state: "detached" })
    await page.keyboard.press("x")
    await page.keyboard.press("a")
    await page.getByText("1 selected", { exact: true }).waitFor({ state: "detached" })
    await rowOf(page, "lease.png").waitFor({ state: "detached" })
    await expectFocused(page, "insurance.png")
    await page.keyboard.press("r")
    await page.getByRole("textbox", { name: "Reason" }).fill("a jagged scan")
    await page.getByRole("button", { name: "Reject" }).click()
    await rowOf(page, "insurance.png").waitFor({ state: "detached" })
    await page.getByText("insurance.png is rejected, after 1 other decision.").waitFor()
    await page.getByRole("button", { name: "Undo the rejection of insurance.png" }).click()
    await rowOf(page, "insurance.png").waitFor()
    await rowOf(page, "insurance.png").getByRole("button", { name: "insurance.png", exact: true }).focus()
    await page.keyboard.press("r")
    await page.getByRole("textbox", { name: "Reason" }).fill("a jagged scan")
    await page.getByRole("button", { name: "Reject" }).click()
    await rowOf(page, "insurance.png").waitFor({ state: "detached" })

    await rowOf(page, "layout.png").getByRole("button", { name: "layout.png", exact: true }).focus()
    await page.keyboard.press("Enter")
    const expectBeside = (name: string) =>
      page
        .getByRole("dialog", { name })
        .getByRole("img", { name: `Preview of ${name}` })
        .waitFor()
    await expectBeside("layout.png")
    const beside = page.getByRole("dialog", { name: "layout.png" })
    expect(await beside.getByRole("link", { name: "Barn Roof" }).getAttribute("href")).toBe(`/sites/${roof.id}`)
    await beside.getByText("not required").waitFor()
    await beside.getByText("1 of 3 on this page").waitFor()
    await beside.getByRole("button", { name: "Next document (J)" }).click()
    await expectBeside("invoice.png")
    await expectContrast(page)
    await page.getByRole("button", { name: "Previous document (K)" }).click()
    await expectBeside("layout.png")
    await page.keyboard.press("a")
    await expectBeside("invoice.png")
    await page.getByText("layout.png is approved, after 2 other decisions.").waitFor()
    // The approvals are sent when the page is left. A reload keeps the list.
    await page.reload()
    await eventually(async () => expect((await client.documents.list({ status: "approved" })).data).toHaveLength(2))
    await expectBeside("invoice.png")
    // Keys move within the list, which can arrive after the document.
    await rowOf(page, "warranty.png").waitFor()
    await rowOf(page, "layout.png").waitFor({ state: "detached" })
    await page.keyboard.press("j")
    await expectBeside("warranty.png")
    await page.keyboard.press("a")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByText("1 document", { exact: true }).waitFor()
    // Another page of the console.
    await page.getByRole("link", { name: "Portfolios", exact: true }).click()
    await eventually(async () => expect((await client.documents.list({ status: "approved" })).data).toHaveLength(3))
    const { data } = await client.documents.list({})
    expect(data.map(({ failureReason, filename, status }) => [filename, status, failureReason])).toEqual([
      ["lease.png", "approved", null],
      ["insurance.png", "failed", "a jagged scan"],
      ["layout.png", "approved", null],
      ["invoice.png", "uploaded", null],
      ["warranty.png", "approved", null]
    ])
  })

  it("approves and rejects selected documents, and reports those that others have changed", async () => {
    const { client } = setup()
    const { id } = await createSite(client, "Busy Field")
    const files = ["kept", "changed", "taken", "deleted"].map((name) => ({ filename: `${name}.txt` }))
    const [kept = "", changed = "", taken = "", deleted = ""] = await uploadTo(client, id, files)
    await using watched = await setup().open("/documents")
    const { page } = watched
    await page.getByRole("searchbox").fill(".txt")
    await page.getByText("4 documents", { exact: true }).waitFor()
    await client.documents.changeStatus(kept, { note: "Scanned." })
    await page.getByRole("button", { name: "kept.txt", exact: true }).focus()
    await page.keyboard.press("a")
    await rowOf(page, "kept.txt").waitFor({ state: "detached" })
    await page.getByRole("link", { name: "All", exact: true }).click()
    await page.getByText("kept.txt was not approved").waitFor()
    await visit(page, "/documents?search=.txt")
    await page.getByLabel("Select all documents of this page").check()
    await page.getByText("4 selected").waitFor()
    await client.documents.changeStatus(changed, { note: "The second page follows." })
    await client.documents.changeStatus(taken, { status: "failed", reason: "Not ours." })
    await client.documents.delete(deleted)
    await page.getByRole("button", { name: "Approve …" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Approve 4 documents" }).dblclick()
    await dialog.getByText("3 failed:").waitFor()
    expect((await dialog.getByRole("listitem").allTextContents()).map((line) => line.split(":")[0]).toSorted()).toEqual(
      ["changed.txt", "deleted.txt", "taken.txt"]
    )
    await dialog.getByRole("button", { name: "Close" }).last().click()
    // What can still be decided on stays selected, in its newest version.
    await page.getByText("1 selected").waitFor()
    await page.getByText("1 document", { exact: true }).waitFor()
    const statuses = async () => (await client.documents.list({ siteId: id })).data.map(({ status }) => status)
    expect(await statuses()).toEqual(["approved", "uploaded", "failed"])
    await page.getByRole("button", { name: "Reject …" }).click()
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Both pages, please.")
    await dialog.getByRole("button", { name: "Reject 1 document" }).click()
    await page.getByText("1 document rejected.").waitFor()
    await page.getByText("No document fits this").waitFor()
    expect(await client.documents.get(changed)).toMatchObject({
      status: "failed",
      failureReason: "Both pages, please."
    })
  })
})
