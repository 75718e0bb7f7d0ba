import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Layer } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "solar-sites-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A host without Effect: promises over memory, files in a folder. */
const aHost = async (onStored?: (path: string) => Promise<void>) => {
  const told: Array<string> = []
  const files = makeFileStore({
    directory: join(folder, "files"),
    publicUrl: "https://host.invalid/solar",
    prefix: "/solar",
    onStored: async (path) => {
      told.push(path)
      await (onStored ?? solar.objectArrived)(path)
    }
  })
  const solar: SolarSites = SolarSites.make(Layer.merge(MemoryAdapters.layer, files.layer))
  const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
  const { documents, sites } = solar.as({ organisationId })
  const { id: siteId } = await sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })
  const upload = async (text: string) => {
    const request = { siteId, fileType: "documents", files: [{ filename: "a.txt", mimeType: "text/plain" }] } as const
    const [issued] = (await documents.issueUploads(request)).results
    if (issued?.success !== true) throw new Error("no address was issued")
    const { headers, url } = issued.uploadUrl
    const { status } = await files.handler(new Request(url, { method: "PUT", headers, body: text }))
    return { status, id: issued.documentId, path: new URL(url).pathname.replace("/solar/storage/", "") }
  }
  const close = async () => {
    await solar.dispose()
    await files.dispose()
  }
  return { close, documents, files, told, upload }
}

it("serves what its layer has signed, and tells the rules what has arrived", async () => {
  const { close, documents, files, told, upload } = await aHost()
  const { id, path, status } = await upload("as built")
  expect([status, told]).toEqual([201, [path]])
  expect((await documents.get(id)).status).toBe("uploaded")
  const { url } = await documents.downloadUrl(id)
  expect(await (await files.handler(new Request(url))).text()).toBe("as built")
  expect((await files.handler(new Request(url.replace("/solar/", "/")))).status).toBe(404)
  await close()
})

it("keeps a file also when nobody wants to hear of it", async () => {
  const { close, documents, upload } = await aHost(() => Promise.reject(new Error("not now")))
  const { id, status } = await upload("as built")
  expect([status, (await documents.get(id)).status]).toEqual([201, "pending"])
  expect((await documents.changeStatus(id, { status: "uploaded" })).status).toBe("uploaded")
  await close()
})

it("answers for a folder that is none with an error of its own", async () => {
  const file = join(folder, "file")
  await writeFile(file, "")
  await using files = makeFileStore({ directory: file, publicUrl: "https://host.invalid" })
  expect((await files.handler(new Request("https://host.invalid/storage/x"))).status).toBe(500)
})
