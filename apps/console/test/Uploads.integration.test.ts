/**
 * Uploads in a browser: drops, the dialog before sending, and the tray on every page.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { chooseFiles, expectUnderWay, fileOf, openSiteOf, send, tabsOf, trayOf } from "./DocumentsSetup.ts"
import { eventually, expectCount } from "./Fixtures.ts"
import { expectFits, type OpenOptions, takePicture, useSetup } from "./Setup.ts"
import { useSlowProxy } from "./SlowProxy.ts"

const large = 12 * 1_024 ** 2

/** A folder with files that can be sent, files that cannot, and a file of the operating system. */
const makeFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), "solar-sites-drop-"))
  await mkdir(join(path, "inner", "deeper"), { recursive: true })
  const files = {
    "plan.pdf": Buffer.alloc(large, "plan"),
    "inner/yield.csv": Buffer.from("a,b"),
    "inner/deeper/layout.dwgx": Buffer.from("drawing"),
    "inner/page.html": Buffer.from("<p>"),
    "inner/empty.txt": Buffer.alloc(0),
    ".DS_Store": Buffer.from("x")
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(path, name), bytes)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** Drags a file or folder of this computer over the middle of the page, and drops it. */
const drop = async (page: Page, path: string): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ["dragEnter", "dragOver"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 400, y: 400, data })
  }
  await page.getByText("Drop to upload to ").waitFor()
  await session.send("Input.dispatchDragEvent", { type: "drop", x: 400, y: 400, data })
  await page.getByText("Drop to upload to ").waitFor({ state: "detached" })
}

describe.skipIf(executablePath === "")("uploads in the console", () => {
  const setup = useSetup()
  const proxy = useSlowProxy()

  const openSite = (siteName: string, options: OpenOptions = {}) =>
    openSiteOf(setup(), siteName, { proxy: proxy().address, ...options })

  it("take a folder dropped on any tab, explain what is not sent, and go on while other pages are shown", async () => {
    await using folder = await makeFolder()
    const opened = await openSite("Dropped Field")
    await using _watched = opened
    const { documents, page } = opened
    await tabsOf(page).getByRole("link", { name: "Overview" }).click()
    await page.getByRole("heading", { name: "Required documents" }).waitFor()
    await drop(page, folder.path)
    const dialog = page.getByRole("dialog", { name: "Upload to Dropped Field" })
    await dialog.getByText("2 files will not be sent").waitFor()
    await dialog
      .getByText("page.html: Files that a browser or an operating system would run are not accepted.")
      .waitFor()
    await dialog.getByText("empty.txt: The file is empty.").waitFor()
    await dialog.getByText("7 bytes · unknown type").waitFor()
    await expectCount(dialog.getByRole("list", { name: "Files to upload" }).getByRole("listitem"), 5)
    await dialog.getByLabel("Used as", { exact: true }).selectOption("Cover image")
    await dialog.getByText("plan.pdf: A cover image must be image/jpeg, image/png or image/webp.").waitFor()
    await dialog.getByLabel("Used as", { exact: true }).selectOption("Site document")
    // Files mostly share their validity.
    await expectCount(dialog.getByLabel("Valid from: yield.csv"), 0)
    await dialog.getByRole("button", { name: "Validity per file …" }).click()
    await dialog.getByLabel("Valid from: yield.csv").fill("2026-02-01")
    await dialog.getByLabel("Valid until: yield.csv").fill("2026-01-01")
    await dialog.getByText("yield.csv: The validity ends before it begins.").waitFor()
    await dialog.getByLabel("Valid until: yield.csv").fill("2027-01-01")
    await expectFits(page)
    proxy().hold()
    await dialog.getByRole("button", { name: "Upload 3 files" }).click()
    await page.getByRole("link", { name: "Portfolios" }).click()
    await page.getByRole("heading", { name: "Portfolios", exact: true }).waitFor()
    await expectUnderWay(page, "plan.pdf")
    await expectFits(page)
    const asked = page.waitForEvent("dialog")
    await page.close({ runBeforeUnload: true })
    expect((await asked).type()).toBe("beforeunload")
    await (await asked).dismiss()
    proxy().release()
    const tray = trayOf(page)
    await tray.getByText("3 of 3 files uploaded", { exact: true }).waitFor()
    await tray.getByRole("link", { name: "Dropped Field" }).click()
    await page.getByRole("table", { name: "Documents" }).waitFor()
    await tray.getByRole("button", { name: "Clear uploaded" }).click()
    await tray.waitFor({ state: "detached" })
    expect((await documents()).map(({ filename, validFrom }) => [filename, validFrom]).toSorted()).toEqual([
      ["layout.dwgx", null],
      ["plan.pdf", null],
      ["yield.csv", "2026-02-01"]
    ])
  })

  it("send many files three at a time, show a few of them, and stop all that are left", async () => {
    const opened = await openSite("Many Field")
    await using _watched = opened
    const { documents, page } = opened
    const asked: Array<number> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/bulk-upload-url")) asked.push(request.postDataJSON().files.length)
    })
    const files = Array.from({ length: 99 }, (_, index) => fileOf(`${String(index).padStart(3, "0")}.txt`, 100))
    const dialog = await chooseFiles(page, [...files.slice(0, 20), fileOf("large.bin", large), ...files.slice(20)])
    expect(await dialog.getByRole("listitem").count()).toBeLessThan(20)
    await dialog.getByRole("button", { name: "Page 2 of files" }).click()
    await dialog.getByText("008.txt", { exact: true }).waitFor()
    proxy().hold()
    await send(dialog)
    const tray = trayOf(page)
    await tray.getByText(/ more to send$/).waitFor()
    expect(await tray.getByRole("listitem").count()).toBeLessThan(40)
    await expectUnderWay(page, "large.bin")
    await takePicture(page, "upload-tray")
    await tray.getByRole("button", { name: "Stop all" }).click()
    await tray.getByText(/^\d+ files not uploaded$/).waitFor()
    await tray.getByText("Stopped", { exact: true }).first().waitFor()
    proxy().release()
    const states = async () => (await documents()).map(({ status }) => status)
    await eventually(async () => expect([...new Set(await states())]).toEqual(["uploaded"]))
    expect((await states()).length).toBeLessThan(100)
    expect(proxy().mostFiles()).toBe(3)
    // The others were stopped before they got addresses.
    expect(asked).toEqual([20, 20])
    await tray.getByRole("button", { name: "Clear stopped" }).click()
    await tray.getByText("Uploads finished", { exact: true }).waitFor()
  })
})
