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
  trayOf,
  uploadFiles
} from "./DocumentsSetup.ts"
import { clientOf, eventually, expectCount, hostile, picture } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, expectNoSidewaysScrolling, type OpenOptions, takePicture, useSetup } from "./Setup.ts"
import { useSlowProxy } from "./SlowProxy.ts"

describe.skipIf(executablePath === "")("documents in the console", () => {
  const setup = useSetup()
  const proxy = useSlowProxy()

  const openSite = (siteName: string, options: OpenOptions = {}) =>
    openSiteOf(setup(), siteName, { proxy: proxy().address, ...options })

  it("uploads three files with progress, approves, rejects, completes and downloads them", async () => {
    const opened = await openSite("Long Meadow")
    await using _watched = opened
    const { documents, id, page } = opened
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
    await expectAccessible(page)
    await page.getByRole("button", { name: "Clear uploaded" }).click()

    const late = Promise.withResolvers<void>()
    const siteUrl = new RegExp(`/console/api/sites/${id}$`)
    await page.route(siteUrl, async (route) => {
      await late.promise
      return route.continue()
    })
    await act(page, "plan.txt", "Approve")
    await rowOf(page, "plan.txt").getByText("Approved").waitFor()
    // The next action waits for what the first one reads again: no click is lost.
    await page.getByRole("button", { name: "Actions for plan.txt" }).click()
    const complete = page.getByRole("menuitem", { name: "Complete" })
    await eventually(async () => expect(await complete.isDisabled()).toBe(true))
    late.resolve()
    await complete.click()
    await page.unroute(siteUrl)
    await rowOf(page, "plan.txt").getByText("Completed").waitFor()
    await act(page, "warranty.txt", "Reject …")
    const rejection = page.getByRole("dialog", { name: "Reject warranty.txt?" })
    await rejection.getByRole("textbox", { name: "Reason" }).fill("The second page is missing.")
    await expectAccessible(page)
    await rejection.getByRole("button", { name: "Reject" }).click()
    await rowOf(page, "warranty.txt").getByText("The second page is missing.").waitFor()
    await takePicture(page, "site")

    const download = page.waitForEvent("download")
    await act(page, "yield.csv", "Download")
    const file = await download
    expect(file.suggestedFilename()).toBe("yield.csv")
    expect((await readFile(await file.path())).equals(fileOf("yield.csv", sizeOf("yield.csv")).buffer)).toBe(true)
    const states = (await documents()).map(({ documentType, filename, status, validUntil }) => [
      filename,
      status,
      documentType,
      validUntil
    ])
    expect(states.toSorted()).toEqual([
      ["plan.txt", "completed", "handover_document", "2031-05-31"],
      ["warranty.txt", "failed", "handover_document", "2031-05-31"],
      ["yield.csv", "uploaded", "other", "2031-05-31"]
    ])
    await act(page, "yield.csv", "Delete …")
    await page.getByRole("button", { name: "Delete document" }).click()
    await page.getByText("yield.csv was deleted.").waitFor()
    expect(await documents()).toHaveLength(2)
  })

  it("shows a connection lost during an upload, and sends the file again", async () => {
    const opened = await openSite("Remote Field")
    await using _watched = opened
    const { context, documents, page } = opened
    proxy().hold()
    await uploadFiles(page, [fileOf("large.bin", 12_000_000)])
    await expectUnderWay(page, "large.bin")
    await context.setOffline(true)
    proxy().cut()
    await page.getByText("You are offline. What is interrupted can be sent again when you are back.").waitFor()
    await page.getByText("Interrupted", { exact: true }).waitFor()
    await page.getByText("The connection was lost.").waitFor()
    await expectAccessible(page)
    expect((await documents()).map(({ status }) => status)).toEqual(["pending"])
    proxy().mend()
    proxy().release()
    await context.setOffline(false)
    await page.getByRole("button", { name: "Send again: large.bin" }).click()
    await page.getByText("1 of 1 file uploaded", { exact: true }).waitFor()
    expect((await documents()).map(({ sizeBytes, status }) => [status, sizeBytes])).toEqual([["uploaded", 12_000_000]])
  })

  it("requests addresses for twenty files at a time, and shows each refusal without affecting other files", async () => {
    const opened = await openSite("Many Files", { own: true })
    await using _watched = opened
    const { documents, page } = opened
    const asked: Array<number> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/bulk-upload-url")) asked.push(request.postDataJSON().files.length)
    })
    // The server refuses what the page did not.
    await page.route(/\/bulk-upload-url$/, (route) =>
      route.continue({
        postData: (route.request().postData() ?? "").replace(
          '"1.txt","mimeType":"text/plain"',
          '"1.txt","mimeType":"text/html"'
        )
      })
    )
    const files = Array.from({ length: 21 }, (_, index) => fileOf(`${index}.txt`, 10))
    const dialog = await chooseFiles(page, [fileOf(hostile, 10), ...files])
    await dialog.getByText(hostile, { exact: true }).waitFor()
    await send(dialog)
    await page.getByText("21 of 22 files uploaded", { exact: true }).waitFor()
    expect(asked).toEqual([20, 2])
    await trayOf(page)
      .getByText(/not accepted \(mime_type_not_allowed\)$/)
      .waitFor()
    await rowOf(page, hostile).waitFor()
    await expectCount(page.locator('img[src="x"]'), 0)
    expect(await documents()).toHaveLength(21)
  })

  it("uploads files of an O&M record, and the file of a pending document", async () => {
    const opened = await openSite("Maintained Field")
    await using _watched = opened
    const { documents, id, page } = opened
    const dialog = await chooseFiles(page, [fileOf("report.txt")])
    await dialog.getByLabel("Used as: report.txt").selectOption("O&M document")
    await dialog.getByText("Say which O&M record the file belongs to.").waitFor()
    const upload = dialog.getByRole("button", { name: "Upload 0 files" })
    await eventually(async () => expect(await upload.isDisabled()).toBe(true))
    await dialog.getByRole("textbox", { name: "O&M record: report.txt" }).fill("OM-7")
    await send(dialog)
    await page.getByText("O&M record OM-7").waitFor()
    await page.getByText("1 of 1 file uploaded", { exact: true }).waitFor()

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
})
