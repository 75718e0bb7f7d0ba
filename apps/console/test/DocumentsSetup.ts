/**
 * Setup and actions of the tests of documents.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SolarSitesClient } from "@solar-sites/http-node/client"
import type { Locator, Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import { eventually, openBy, picture } from "./Fixtures.ts"
import type { OpenOptions, Setup } from "./Setup.ts"

/** Opens the page of a new site. */
export const openSiteOf = async (setup: Setup, siteName: string, options: OpenOptions = {}) => {
  const site = { siteName, capacity: 1, unit: "MW" } as const
  const { id } = await setup.client.sites.create(site)
  const watched = await setup.open(`/sites/${id}/documents`, options)
  await watched.page.getByRole("link", { name: "Upload files" }).waitFor()
  const documents = async () => (await setup.client.documents.list({ siteId: id })).data
  return { ...watched, id, documents }
}

export const fileOf = (name: string, bytes = 1_000, mimeType = "text/plain") => ({
  name,
  mimeType,
  buffer: Buffer.alloc(bytes, name)
})

// The bytes of a file without a path pass through a script of the page: seconds on a busy machine.
const largestInMemory = 1_000_000

/** The files as a file chooser takes them: paths when one is large. They exist until the test ends. */
export const chosen = async (files: ReadonlyArray<ReturnType<typeof fileOf>>) => {
  if (files.every(({ buffer }) => buffer.length <= largestInMemory)) return files
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-files-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { buffer, name } of files) await writeFile(join(folder, name), buffer)
  return files.map(({ name }) => join(folder, name))
}

/** Chooses files in the dialog of uploads, which shows them. */
export const chooseFiles = async (page: Page, files: ReadonlyArray<ReturnType<typeof fileOf>>): Promise<Locator> => {
  await page.getByRole("link", { name: "Upload files" }).click()
  const dialog = page.getByRole("dialog", { name: /^Upload to / })
  const chooser = page.waitForEvent("filechooser")
  await dialog.getByRole("button", { name: "Choose files" }).click()
  await (await chooser).setFiles(await chosen(files))
  await dialog.getByRole("list", { name: "Files to upload" }).waitFor()
  return dialog
}

/** Sends the files of the dialog that can be sent. */
export const send = (dialog: Locator): Promise<void> =>
  dialog.getByRole("button", { name: /^Upload \d+ files?$/ }).click()

export const uploadFiles = async (page: Page, files: ReadonlyArray<ReturnType<typeof fileOf>>): Promise<void> =>
  send(await chooseFiles(page, files))

/** The tabs of the page of a site; the main navigation has links of the same names. */
export const tabsOf = (page: Page): Locator => page.getByRole("navigation", { name: "Parts of this page" })

/** The tray of uploads. */
export const trayOf = (page: Page): Locator => page.getByRole("region", { name: "Uploads", exact: true })

/** Part of the file was sent. */
export const expectUnderWay = async (page: Page, filename: string): Promise<void> => {
  const bar = page.getByRole("progressbar", { name: `Progress of ${filename}` })
  const percent = async () => Number(await bar.getAttribute("aria-valuenow"))
  await eventually(async () => expect(await percent()).toBeGreaterThan(0))
  expect(await percent()).toBeLessThan(100)
}

/** Chooses an action from the menu of a document. */
export const act = async (page: Page, filename: string, action: string): Promise<void> => {
  const item = page.getByRole("menuitem", { name: action })
  await openBy(page.getByRole("button", { name: `Actions for ${filename}` }), item)
  await item.click()
}

export const rowOf = (page: Page, filename: string) =>
  page.getByRole("table", { name: "Documents" }).getByRole("row").filter({ hasText: filename })

type Files = Parameters<SolarSitesClient["documents"]["issueUploads"]>[0]["files"]
type File = Omit<Files[number], "mimeType">

/** Creates pending documents of a site, and returns the addresses for their files. */
export const requestFiles = async ({ documents }: SolarSitesClient, siteId: string, files: ReadonlyArray<File>) => {
  const named = files.map((file) => ({ ...file, mimeType: "image/png" }))
  const { results } = await documents.issueUploads({ siteId, fileType: "documents", files: named })
  return results.map((result) => {
    if (!result.success) throw new Error(`${result.filename} was refused: ${result.error.detail}`)
    return result
  })
}

/** Creates uploaded documents of a site, and returns their ids in this order. */
export const uploadTo = async (client: SolarSitesClient, siteId: string, files: ReadonlyArray<File>) => {
  const issued = await requestFiles(client, siteId, files)
  for (const { uploadUrl } of issued) {
    const { ok } = await fetch(uploadUrl.url, { method: "PUT", headers: uploadUrl.headers, body: picture })
    expect(ok).toBe(true)
  }
  return issued.map(({ documentId }) => documentId)
}
