/**
 * Uploads, downloads and rejections with faults.
 */
import { describe, expect, it } from "vitest"
import { executablePath, openPage } from "./Browser.ts"
import { act, expectUnderWay, fileOf, openSiteOf, rowOf, uploadFiles } from "./DocumentsSetup.ts"
import { eventually, faultAt, picture } from "./Fixtures.ts"
import { visit } from "./KeptPage.ts"
import { expectAccessible, type OpenOptions, useSetup } from "./Setup.ts"
import { useSlowProxy } from "./SlowProxy.ts"

describe.skipIf(executablePath === "")("documents in the console, with faults", () => {
  const setup = useSetup()
  const proxy = useSlowProxy()

  const openSite = (siteName: string, options: OpenOptions = {}) =>
    openSiteOf(setup(), siteName, { proxy: proxy().address, ...options })

  it("deletes the document of a stopped upload, and downloads during an upload without a prompt", async () => {
    const opened = await openSite("Stopped Field")
    await using _watched = opened
    const { documents, page } = opened
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
    await page.getByRole("button", { name: "Stop sending large.bin" }).click()
    await rowOf(page, "large.bin").waitFor({ state: "detached" })
    await eventually(async () => expect((await documents()).map(({ filename }) => filename)).toEqual(["small.txt"]))
    // The file stays, to be sent again.
    proxy().release()
    await page.getByRole("button", { name: "Send again: large.bin" }).click()
    await rowOf(page, "large.bin").getByText("To be reviewed").waitFor()
  })

  it("shows at the field that a rejection needs a reason", async () => {
    const opened = await openSite("Rejected Field")
    await using _watched = opened
    const { documents, page } = opened
    await uploadFiles(page, [fileOf("plan.txt")])
    await rowOf(page, "plan.txt").getByText("To be reviewed").waitFor()
    await page.getByRole("button", { name: "Actions for plan.txt" }).click()
    await page.getByRole("menuitem", { name: "Delete …" }).hover()
    await expectAccessible(page)
    await page.getByRole("menuitem", { name: "Reject …" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Reject" }).click()
    expect(await faultAt(dialog.getByRole("textbox", { name: "Reason" }))).toContain("Must not be empty")
    expect((await documents()).map(({ status }) => status)).toEqual(["uploaded"])
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Page 2 is missing.\nSend it again.")
    await dialog.getByRole("button", { name: "Reject" }).click()
    await rowOf(page, "plan.txt").getByText("Page 2 is missing.").waitFor()
    expect((await documents())[0]).toMatchObject({ failureReason: "Page 2 is missing.\nSend it again." })
  })

  it("shows that a document failed during its upload, and sends the file again", async () => {
    const opened = await openSite("Slow Field")
    await using _watched = opened
    const { page } = opened
    await page.route(/\/console\/api\/docs\/[0-9a-f-]{36}$/, async (route) => {
      const [document] = await opened.documents()
      const reason = "nothing arrived before the upload address lapsed"
      if (route.request().method() === "GET") {
        return route.fulfill({ json: { ...document, status: "failed", failureReason: reason } })
      }
      const problem = { type: "", title: "", status: 409, detail: "", code: "invalid_transition", requestId: "r" }
      return route.fulfill({ status: 409, contentType: "application/problem+json", json: problem })
    })
    await uploadFiles(page, [fileOf("slow.txt")])
    await page
      .getByText("The service has failed the document: nothing arrived before the upload address lapsed.")
      .waitFor()
    await page.getByText("0 of 1 file uploaded", { exact: true }).waitFor()
    await expectAccessible(page)
    await page.unroute(/\/console\/api\/docs\/[0-9a-f-]{36}$/)
    await page.getByRole("button", { name: "Send again: slow.txt" }).click()
    await page.getByText("1 of 1 file uploaded", { exact: true }).waitFor()
  })

  it("names the address of a storage that cannot be reached", async () => {
    const { browser, client, owner, server } = setup()
    await using watched = await openPage(browser, server.origin)
    const { context, page } = watched
    const { id } = await client.sites.create({ siteName: "Elsewhere", capacity: 1, unit: "MW" })
    const { email, password } = owner
    const login = { headers: { origin: server.origin }, data: { email, password } }
    expect((await context.request.post("/console/session", login)).status()).toBe(200)
    await page.route(/\/(bulk-)?upload-url$/, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replaceAll(`${server.origin}/storage`, "http://files.example.com/storage")
      return route.fulfill({ response: answer, body })
    })
    await page.goto(`/sites/${id}/documents`)
    await uploadFiles(page, [fileOf("plan.txt")])
    await page.getByText("No answer from http://files.example.com, where files are stored").waitFor()
    await page.getByText("Interrupted", { exact: true }).waitFor()
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
