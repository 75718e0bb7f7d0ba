/**
 * Documents in a browser: uploaded with progress, interrupted, retried, reviewed, downloaded.
 */
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import {
  act,
  chooseFiles,
  expectUnderWay,
  fileOf,
  openSiteOf,
  rowOf,
  send,
  tabsOf,
  uploadFiles
} from "./DocumentsSetup.ts"
import { clientOf, eventually, expectCount, faultAt, hostile, picture } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectNoSidewaysScrolling,
  type OpenOptions,
  takePicture,
  useSetup
} from "./Setup.ts"
import { useSlowProxy } from "./SlowProxy.ts"

describe.skipIf(executablePath === "")("documents in the console", () => {
  const setup = useSetup()
  const proxy = useSlowProxy()

  const openSite = (siteName: string, options: OpenOptions = {}) =>
    openSiteOf(setup(), siteName, { proxy: proxy().address, ...options })

  it("uploads three files with progress, approves, rejects, completes and downloads them", async () => {
    const opened = await openSite("Long Meadow")
    await using _watched = opened
    const { documents, page } = opened
    proxy().hold()
    const names = ["plan.txt", "yield.csv", "warranty.txt"]
    const sizeOf = (name: string) => (name === "plan.txt" ? 12 * 1_024 ** 2 : 200 * 1_024)
    const dialog = await chooseFiles(
      page,
      names.map((name) => fileOf(name, sizeOf(name)))
    )
    await dialog.getByLabel("Kind of document", { exact: true }).selectOption("Handover document")
    await dialog.getByLabel("Valid until", { exact: true }).fill("2031-05-31")
    await dialog.getByLabel("Kind of document: yield.csv").selectOption("Other")
    await expectAccessible(page)
    await takePicture(page, "upload-dialog")
    await send(dialog)
    await expectUnderWay(page, "plan.txt")
    proxy().release()
    await page.getByText("3 of 3 files uploaded", { exact: true }).waitFor()
    for (const name of names) await rowOf(page, name).getByText("To be reviewed").waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.getByRole("button", { name: "Clear uploaded" }).click()

    await act(page, "plan.txt", "Approve")
    await rowOf(page, "plan.txt").getByText("Approved").waitFor()
    await page.getByText("plan.txt is approved.").waitFor()
    // The approval is sent when the list is left.
    await tabsOf(page).getByRole("link", { name: "Overview" }).click()
    await tabsOf(page).getByRole("link", { name: "Documents" }).click()
    // The explanation stands in the item, as a phone shows no tooltips.
    await act(page, "plan.txt", "Closes an approved document.")
    await rowOf(page, "plan.txt").getByText("Completed").waitFor()
    await act(page, "warranty.txt", "Reject …")
    const rejection = page.getByRole("dialog", { name: "Reject warranty.txt?" })
    const reason = rejection.getByRole("textbox", { name: "Reason" })
    await rejection.getByRole("button", { name: "Reject" }).click()
    expect(await faultAt(reason)).toContain("Must not be empty")
    expect((await documents()).map(({ status }) => status).toSorted()).toEqual(["completed", "uploaded", "uploaded"])
    await reason.fill("The second page is missing.\nSend it again.")
    await expectAccessible(page)
    await rejection.getByRole("button", { name: "Reject" }).click()
    await rowOf(page, "warranty.txt").getByText("The second page is missing.").waitFor()
    await tabsOf(page).getByRole("link", { name: "Overview" }).click()
    await eventually(async () => expect((await documents()).map(({ status }) => status)).toContain("failed"))
    await tabsOf(page).getByRole("link", { name: "Documents" }).click()
    await rowOf(page, "warranty.txt").getByText("The second page is missing.").waitFor()
    await takePicture(page, "site")

    const download = page.waitForEvent("download")
    await act(page, "yield.csv", "Download")
    const file = await download
    expect(file.suggestedFilename()).toBe("yield.csv")
    expect((await readFile(await file.path())).equals(fileOf("yield.csv", sizeOf("yield.csv")).buffer)).toBe(true)
    const states = (await documents()).map(({ documentType, failureReason, filename, status, validUntil }) => [
      filename,
      status,
      failureReason,
      documentType,
      validUntil
    ])
    expect(states.toSorted()).toEqual([
      ["plan.txt", "completed", null, "handover_document", "2031-05-31"],
      ["warranty.txt", "failed", "The second page is missing.\nSend it again.", "handover_document", "2031-05-31"],
      ["yield.csv", "uploaded", null, "other", "2031-05-31"]
    ])
    await act(page, "yield.csv", "Delete …")
    await page.getByRole("button", { name: "Delete document" }).click()
    await page.getByText("yield.csv was deleted.").waitFor()
    expect(await documents()).toHaveLength(2)
  })

  it("sends a file again after a lost connection and after a stop, and downloads meanwhile without a prompt", async () => {
    const opened = await openSite("Remote Field")
    await using _watched = opened
    const { context, documents, page } = opened
    const asked: Array<string> = []
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type())
      await dialog.dismiss()
    })
    await uploadFiles(page, [fileOf("small.txt")])
    await rowOf(page, "small.txt").getByText("To be reviewed").waitFor()
    proxy().hold()
    await uploadFiles(page, [fileOf("large.bin", 12_000_000)])
    await expectUnderWay(page, "large.bin")
    const download = page.waitForEvent("download")
    await act(page, "small.txt", "Download")
    expect((await download).suggestedFilename()).toBe("small.txt")
    expect(asked).toEqual([])
    await expectUnderWay(page, "large.bin")

    await context.setOffline(true)
    proxy().cut()
    await page.getByText("You are offline. What is interrupted can be sent again when you are back.").waitFor()
    await page.getByText("Interrupted", { exact: true }).waitFor()
    await page.getByText("The connection was lost.").waitFor()
    await expectAccessibleInBothSchemes(page)
    const states = async () => (await documents()).map(({ filename, status }) => `${filename} ${status}`).toSorted()
    expect(await states()).toEqual(["large.bin pending", "small.txt uploaded"])
    proxy().mend()
    await context.setOffline(false)
    const again = page.getByRole("button", { name: "Send again: large.bin" })
    await again.click()
    await expectUnderWay(page, "large.bin")

    // Its document is deleted. The file stays, to be sent again.
    await page.getByRole("button", { name: "Stop sending large.bin" }).click()
    await rowOf(page, "large.bin").waitFor({ state: "detached" })
    await eventually(async () => expect(await states()).toEqual(["small.txt uploaded"]))
    proxy().release()
    await again.click()
    await rowOf(page, "large.bin").getByText("To be reviewed").waitFor()
    expect((await documents()).map(({ sizeBytes }) => sizeBytes).toSorted()).toEqual([1_000, 12_000_000])
  })

  it("uploads files of an O&M record, and the file of a pending document", async () => {
    const opened = await openSite("Maintained Field")
    await using _watched = opened
    const { documents, id, page } = opened
    const dialog = await chooseFiles(page, [fileOf(hostile)])
    await dialog.getByText(hostile, { exact: true }).waitFor()
    await dialog.getByLabel(`Used as: ${hostile}`).selectOption("O&M document")
    await dialog.getByText("Say which O&M record the file belongs to.").waitFor()
    const upload = dialog.getByRole("button", { name: "Upload 0 files" })
    await eventually(async () => expect(await upload.isDisabled()).toBe(true))
    await dialog.getByRole("textbox", { name: `O&M record: ${hostile}` }).fill("OM-7")
    await send(dialog)
    await page.getByText("O&M record OM-7").waitFor()
    await page.getByText("1 of 1 file uploaded", { exact: true }).waitFor()
    await rowOf(page, hostile).waitFor()
    await expectCount(page.locator('img[src="x"]'), 0)

    const files = [{ filename: "late.txt", mimeType: "text/plain" }]
    await clientOf(page).documents.issueUploads({ siteId: id, fileType: "documents", files })
    await visit(page)
    await rowOf(page, "late.txt").getByText("Waiting for its file").waitFor()
    const chooser = page.waitForEvent("filechooser")
    await act(page, "late.txt", "Send the file again …")
    await (await chooser).setFiles(fileOf("late.txt"))
    await rowOf(page, "late.txt").getByText("To be reviewed").waitFor()
    expect((await documents()).map(({ omRecordId, status }) => [omRecordId, status])).toEqual([
      ["OM-7", "uploaded"],
      [null, "uploaded"]
    ])
  })

  it("shows the cover of a site after its upload, until it is removed", async () => {
    const opened = await openSite("Photogenic Field", { width: 360 })
    await using _watched = opened
    const { id, page } = opened
    const dialog = await chooseFiles(page, [{ name: "cover.png", mimeType: "image/png", buffer: picture }])
    await dialog.getByLabel("Used as: cover.png").selectOption("Cover image")
    await expectNoSidewaysScrolling(page)
    await send(dialog)
    await tabsOf(page).getByRole("link", { name: "Overview" }).click()
    const cover = page.getByRole("img", { name: "Cover image of Photogenic Field" })
    await eventually(async () =>
      expect(await cover.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(1)
    )
    await expectNoSidewaysScrolling(page)
    await expectAccessible(page)
    await page.getByRole("button", { name: "Remove cover image" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove cover image" }).click()
    await page.getByText("No cover image yet.").waitFor()
    expect(await clientOf(page).sites.get(id)).toMatchObject({ coverImageUrl: null })
  })

  it("shows a cover image of another host without a referrer", async () => {
    const otherOrigin = "https://pictures.example.com"
    const coverImageUrl = `${otherOrigin}/cover.png`
    const site = { siteName: "Pictured Field", capacity: 1, unit: "MW", coverImageUrl } as const
    const { id } = await setup().client.sites.create(site)
    await using watched = await setup().open("/sites", { otherOrigin })
    const { context, page } = watched
    const referrers: Array<string | undefined> = []
    await context.route(coverImageUrl, (route) => {
      referrers.push(route.request().headers()["referer"])
      return route.fulfill({ body: picture, contentType: "image/png" })
    })
    await visit(page, `/sites/${id}`)
    const cover = page.getByRole("img", { name: "Cover image of Pictured Field" })
    await eventually(async () =>
      expect(await cover.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(1)
    )
    expect(referrers).toEqual([undefined])
  })
})
