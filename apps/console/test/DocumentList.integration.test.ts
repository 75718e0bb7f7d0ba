/**
 * Documents of all sites in a browser: reviewed one by one and many at once, found, exported.
 */
import { readFile } from "node:fs/promises"
import type { SolarSitesClient } from "@solar-sites/http-node/client"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { rowOf } from "./DocumentsSetup.ts"
import { awayFromMidnight, choose, clientOf, dayIn, eventually, expectTexts, expectValue, picture } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectFits, takePicture, useSetup } from "./Setup.ts"

type Files = Parameters<SolarSitesClient["documents"]["issueUploads"]>[0]["files"]
type File = Omit<Files[number], "mimeType">

/** Pending documents of a site; returns the addresses for their files. */
const request = async ({ documents }: SolarSitesClient, siteId: string, files: ReadonlyArray<File>) => {
  const named = files.map((file) => ({ ...file, mimeType: "image/png" }))
  const { results } = await documents.issueUploads({ siteId, fileType: "documents", files: named })
  return results.map((result) => {
    if (!result.success) throw new Error(`${result.filename} was refused: ${result.error.detail}`)
    return result
  })
}

/** Uploaded documents of a site, in this order. */
const upload = async (client: SolarSitesClient, siteId: string, files: ReadonlyArray<File>) => {
  const issued = await request(client, siteId, files)
  for (const { uploadUrl } of issued) {
    const { ok } = await fetch(uploadUrl.url, { method: "PUT", headers: uploadUrl.headers, body: picture })
    expect(ok).toBe(true)
  }
  return issued.map(({ documentId }) => documentId)
}

const expectFocused = (page: Page, text: string) =>
  eventually(async () => expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(text))

const rowsOf = (page: Page) => page.getByRole("table", { name: "Documents" }).locator("tbody tr")

describe.skipIf(executablePath === "")("documents of all sites in the console", () => {
  const setup = useSetup()

  const createSite = (client: SolarSitesClient, siteName: string, portfolioId: string | null = null) =>
    client.sites.create({ siteName, capacity: 1, unit: "MW", portfolioId })

  it("reviews documents by keys, in the list and beside it", async () => {
    await using watched = await setup().open("/documents")
    const { page } = watched
    await page.getByText("Nothing to review").waitFor()
    const client = clientOf(page)
    const { id: portfolioId } = await client.portfolios.create({ name: "Southern Fields" })
    const [meadow, roof] = [await createSite(client, "Long Meadow", portfolioId), await createSite(client, "Barn Roof")]
    const [first] = await upload(client, meadow.id, [
      { filename: "lease.png", documentType: "land_lease", validUntil: "2041-12-31" }
    ])
    await upload(client, roof.id, [
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
    await page.keyboard.press("ArrowDown")
    await expectFocused(page, "insurance.png")
    await page.keyboard.press("k")
    await page.keyboard.press("a")
    // The focus goes on to the next document.
    await expectFocused(page, "insurance.png")
    await rowOf(page, "lease.png").waitFor({ state: "detached" })
    if (first !== undefined) expect(await client.documents.get(first)).toMatchObject({ status: "approved" })
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
    await page.keyboard.press("j")
    await expectBeside("invoice.png")
    await page.keyboard.press("k")
    await expectBeside("layout.png")
    await page.keyboard.press("a")
    await expectBeside("invoice.png")
    // A reload would stop the request of the approval.
    await eventually(async () => expect((await client.documents.list({ status: "approved" })).data).toHaveLength(2))
    // A reload and a step back keep the list.
    await page.reload()
    await expectBeside("invoice.png")
    // Keys move within the list, which can arrive after the document.
    await rowOf(page, "warranty.png").waitFor()
    await rowOf(page, "layout.png").waitFor({ state: "detached" })
    await page.keyboard.press("j")
    await expectBeside("warranty.png")
    await page.keyboard.press("a")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByText("1 document", { exact: true }).waitFor()
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
    const [kept = "", changed = "", taken = "", deleted = ""] = await upload(client, id, files)
    await using watched = await setup().open("/documents")
    const { page } = watched
    await page.getByRole("searchbox").fill(".txt")
    await page.getByText("4 documents", { exact: true }).waitFor()
    await client.documents.changeStatus(kept, { note: "Scanned." })
    await page.getByRole("button", { name: "kept.txt", exact: true }).focus()
    await page.keyboard.press("a")
    await page.getByText("kept.txt was not approved").waitFor()
    await visit(page)
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

  it("lists documents that expire, soonest first, and exports what the filters find", async () => {
    await awayFromMidnight()
    const { client } = setup()
    const { id: portfolioId } = await client.portfolios.create({ name: "Expiring Fields" })
    const { id } = await createSite(client, "Dated Field", portfolioId)
    const until = (filename: string, days: number) => ({ filename, validUntil: dayIn(days) })
    await upload(client, id, [
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

  it("pages through all documents, and filters them by state, kind and portfolio", async () => {
    const { client } = setup()
    const { id: portfolioId } = await client.portfolios.create({ name: "Large Fields" })
    const { id } = await createSite(client, "Large Field", portfolioId)
    for (const part of [0, 20, 40])
      await request(
        client,
        id,
        Array.from({ length: 20 }, (_, index) => ({ filename: `sheet ${part + index}.csv`, documentType: "ppm" }))
      )
    await using watched = await setup().open(`/documents/all?portfolio=${portfolioId}`)
    const { page } = watched
    await page.getByText("50 documents on this page").waitFor()
    await rowsOf(page).first().filter({ hasText: "sheet 59.csv" }).waitFor()
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("51 to 60", { exact: true }).waitFor()
    // The document beside the list does not lose the page.
    await page.getByRole("button", { name: "sheet 0.csv", exact: true }).click()
    await page.getByRole("dialog", { name: "sheet 0.csv" }).getByText("There is no file to show.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByText("51 to 60", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Previous page" }).click()
    await page.getByText("1 to 50", { exact: true }).waitFor()
    await choose(page, "State", "Approved")
    await page.getByText("No document fits this").waitFor()
    await choose(page, "State", "Waiting for its file")
    await choose(page, "Kind", "Invoice")
    await page.getByText("No document fits this").waitFor()
    await choose(page, "Kind", "PPM")
    await page.getByRole("columnheader", { name: "File" }).getByRole("button").click()
    await rowsOf(page).first().filter({ hasText: "sheet 0.csv" }).waitFor()
    await page.getByRole("link", { name: "To review" }).click()
    await page.waitForURL("/documents")
    await expectValue(page.getByRole("searchbox"), "")
  })
})
