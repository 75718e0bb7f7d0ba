import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Layer, Logger } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "solar-sites-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A host without Effect: promises over memory, files in a folder. */
const aHost = async () => {
  const files = makeFileStore({ directory: join(folder, "files"), publicUrl: "https://host.invalid/solar" })
  const solar = SolarSites.make(Layer.merge(MemoryAdapters.layer, files.layer))
  const binding = toWebHandler(solar.layer, { prefix: "/solar", storage: files.app })
  const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
  const { documents, sites } = solar.as({ organisationId })
  const { id: siteId } = await sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })
  const upload = async (text: string) => {
    const request = { siteId, fileType: "documents", files: [{ filename: "a.txt", mimeType: "text/plain" }] } as const
    const [issued] = (await documents.issueUploads(request)).results
    if (issued?.success !== true) throw new Error("no address was issued")
    const { headers, url } = issued.uploadUrl
    const { status } = await binding.handler(new Request(url, { method: "PUT", headers, body: text }))
    return { status, id: issued.documentId }
  }
  const close = async () => {
    await binding.dispose()
    await solar.dispose()
    await files.dispose()
  }
  return { close, documents, fetch: binding.handler, upload }
}

it("serves what its layer has signed, and reports to the rules what has arrived", async () => {
  const { close, documents, fetch, upload } = await aHost()
  const { id, status } = await upload("as built")
  expect([status, (await documents.get(id)).status]).toEqual([201, "uploaded"])
  const { url } = await documents.downloadUrl(id)
  expect(await (await fetch(new Request(url))).text()).toBe("as built")
  expect((await fetch(new Request(url.replace("/solar/", "/")))).status).toBe(404)
  await close()
})

it("answers 500 for a folder that cannot be opened", async () => {
  const file = join(folder, "file")
  await writeFile(file, "")
  await using files = makeFileStore({ directory: file, publicUrl: "https://host.invalid" })
  const { dispose, handler } = toWebHandler(Layer.merge(MemoryAdapters.layer, Logger.layer([])), { storage: files.app })
  const response = await handler(new Request("https://host.invalid/storage/x"))
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ code: "internal" })
  await dispose()
})
