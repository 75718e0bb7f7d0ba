/**
 * Work with documents of a site in a browser: metadata, revisions, history, coverage and filters.
 */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { formatDay } from "../src/texts/formats.ts"
import { executablePath } from "./Browser.ts"
import { act, fileOf, openSiteOf, rowOf, send, tabsOf } from "./DocumentsSetup.ts"
import { clientOf, dayIn, eventually, expectCount, expectFocus, expectValue, faultAt } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectFits,
  type OpenOptions,
  takePicture,
  useSetup
} from "./Setup.ts"

/** Uploads a file by the API. */
const store = async (
  page: Page,
  siteId: string,
  file: { readonly filename: string; readonly documentType?: "insurance" }
) => {
  const { documents, uploads } = clientOf(page)
  const bytes = new TextEncoder().encode(file.filename)
  const files = [{ ...file, mimeType: "text/plain", fileSize: bytes.byteLength }]
  const { results } = await documents.issueUploads({ siteId, fileType: "documents", files })
  const [result] = results
  if (result?.success !== true) throw new Error("the file was refused")
  await uploads.send(result, bytes)
  return documents.changeStatus(result.documentId, { status: "uploaded" })
}

const chooseOne = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole("dialog", { name: /^Upload to / })
  const chooser = page.waitForEvent("filechooser")
  await dialog.getByRole("button", { name: "Choose files" }).click()
  await (await chooser).setFiles([fileOf(name)])
}

describe.skipIf(executablePath === "")("work with documents in the console", () => {
  const setup = useSetup()

  const openSite = (siteName: string, options: OpenOptions = {}) => openSiteOf(setup(), siteName, options)

  it("changes metadata of a completed document, replaces it, and shows its revisions and history", async () => {
    const opened = await openSite("Revised Field")
    await using _watched = opened
    const { id, page } = opened
    const { documents } = clientOf(page)
    const stored = await store(page, id, { filename: "policy.txt", documentType: "insurance" })
    for (const status of ["approved", "completed"] as const) await documents.changeStatus(stored.id, { status })
    await store(page, id, { filename: "other.txt" })
    await visit(page, `/sites/${id}/documents?document=${stored.id}`)
    const drawer = page.getByRole("dialog", { name: "policy.txt" })
    await drawer.getByText("Demo user approved policy.txt").waitFor()
    await drawer.getByText("There is one revision.").waitFor()
    await drawer.getByRole("button", { name: "Edit details …" }).click()
    const form = page.getByRole("dialog", { name: "Edit policy.txt" })
    await form.getByLabel("Filename").fill("policy/2026.txt")
    await form.getByLabel("Valid from").fill("2026-03-01")
    await form.getByLabel("Valid until").fill("2026-02-01")
    await form.getByRole("button", { name: "Save" }).click()
    expect(await faultAt(form.getByLabel("Valid until"))).toContain("Must not be before validFrom")
    await form.getByLabel("Valid until").fill("2027-02-28")
    await form.getByRole("button", { name: "Save" }).click()
    expect(await faultAt(form.getByLabel("Filename"))).toContain("no path separators")
    await expectAccessible(page)
    await form.getByLabel("Filename").fill("policy 2026.txt")
    // Changed by another user meanwhile: the next attempt is on top of that.
    await documents.changeStatus(stored.id, { note: "By another user" })
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByRole("alert").waitFor()
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog", { name: "policy 2026.txt" }).getByText("1 Mar 2026 to 28 Feb 2027").waitFor()
    expect(await documents.get(stored.id)).toMatchObject({
      filename: "policy 2026.txt",
      note: "By another user",
      status: "completed",
      validUntil: "2027-02-28"
    })

    await page.getByRole("link", { name: "Upload a new revision …" }).click()
    await chooseOne(page, "policy 2027.txt")
    const upload = page.getByRole("dialog", { name: /^Upload to / })
    await upload.getByText("Replaces policy 2026.txt").waitFor()
    await expectValue(upload.getByLabel("Kind of document: policy 2027.txt"), "insurance")
    await send(upload)
    await rowOf(page, "policy 2026.txt").getByText("Replaced by a newer one").waitFor()
    await rowOf(page, "policy 2027.txt").getByRole("button", { name: "policy 2027.txt", exact: true }).click()
    const revisions = page.getByRole("list", { name: "Revisions" })
    await expectCount(revisions.getByRole("listitem"), 2)
    await expectFits(page)
    await revisions.getByRole("button", { name: "policy 2026.txt" }).click()
    await page.getByRole("dialog", { name: "policy 2026.txt" }).getByText("Completed").first().waitFor()
    await page.goBack()
    await page.getByRole("dialog", { name: "policy 2027.txt" }).waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()

    await page.getByRole("combobox", { name: "State" }).click()
    await page.getByRole("option", { name: "Current" }).click()
    await rowOf(page, "policy 2026.txt").waitFor({ state: "detached" })
    await page.getByRole("searchbox", { name: "Search by name or note" }).fill("other")
    await rowOf(page, "policy 2027.txt").waitFor({ state: "detached" })
    // The address has the filters.
    await visit(page)
    await rowOf(page, "other.txt").waitFor()
    await expectCount(page.getByRole("table", { name: "Documents" }).getByRole("row"), 2)
    await page.getByRole("searchbox", { name: "Search by name or note" }).fill("nothing like it")
    await page.getByText("No document fits this.").waitFor()
  })

  it("shows the required documents of a site, uploads a missing one, and lists what has changed", async () => {
    const opened = await openSite("Covered Field")
    await using _watched = opened
    const { id, page } = opened
    const { requirements, sites } = clientOf(page)
    await tabsOf(page).getByRole("link", { name: "Coverage" }).click()
    await page.getByText("No documents are required of this site.").waitFor()
    await sites.update(id, {
      externalId: "DE-0815",
      latitude: 51.1,
      longitude: -1.2,
      tags: ["roof", "north"],
      attributes: { inverters: 12, leased: true }
    })
    await requirements.replace({
      requirements: [{ documentType: "insurance", validityRequired: true }, { documentType: "warranty_information" }]
    })
    await store(page, id, { filename: "policy.txt", documentType: "insurance" })
    await visit(page, `/sites/${id}`)
    for (const text of ["DE-0815", "roof", "inverters", "12", "2 required documents need work."]) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    await page.getByText("Demo user uploaded policy.txt").waitFor()
    await expectFits(page)
    await takePicture(page, "site-overview")
    await page.getByRole("link", { name: "All required documents" }).click()
    const row = (name: string) => page.getByRole("row").filter({ hasText: name })
    await row("Insurance").getByText("Missing").waitFor()
    await row("Insurance").getByText("The document has no last day of validity.").waitFor()
    await row("Warranty information").getByRole("link", { name: "Upload: Warranty information" }).click()
    await chooseOne(page, "warranty.txt")
    const dialog = page.getByRole("dialog", { name: /^Upload to / })
    const kind = dialog.getByLabel("Kind of document: warranty.txt")
    await expectValue(kind, "warranty_information")
    // The required documents of the site load meanwhile.
    await eventually(async () =>
      expect(await kind.locator("optgroup").first().getAttribute("label")).toBe("Needed for this site")
    )
    await send(dialog)
    await tabsOf(page).getByRole("link", { name: "Coverage" }).click()
    await row("Warranty information").getByText("Valid", { exact: true }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await takePicture(page, "site-coverage")
    // The document that counts opens beside the list.
    await row("Insurance").getByRole("link", { name: "Open: Insurance" }).click()
    await page
      .getByRole("dialog", { name: "policy.txt" })
      .getByRole("definition")
      .getByText("Demo user", { exact: true })
      .waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()
    await act(page, "policy.txt", "Edit details …")
    await expectFocus(page.getByLabel("Filename"))
    const soon = dayIn(20)
    await page.getByLabel("Valid until").fill(soon)
    await page.getByRole("button", { name: "Save" }).click()
    await rowOf(page, "policy.txt")
      .getByText(`until ${formatDay(soon)}`)
      .last()
      .waitFor()
    await tabsOf(page).getByRole("link", { name: "Overview" }).click()
    await page.getByText("All required documents are there.").waitFor()
    // What expires soon is there, and needs work.
    await page.getByRole("listitem").filter({ hasText: "Insurance" }).getByText("Expires soon").waitFor()
    await tabsOf(page).getByRole("link", { name: "Activity" }).click()
    await page
      .getByText(/Demo user .*policy\.txt/)
      .first()
      .waitFor()
    // A tab keeps the focus.
    await expectFocus(page.getByRole("link", { name: "Activity" }))
  })
})
