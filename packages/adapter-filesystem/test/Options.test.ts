import { join } from "node:path"
import { type FileStoreOptions, makeFileStore } from "@solar-sites/adapter-filesystem"
import { SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"

const publicUrl = "https://host.invalid"
const directory = join("nowhere", "files")

describe("options of a file store", () => {
  const anAddress =
    'publicUrl of the file storage must be an http or https address, such as "https://solar.example.com"'
  const aFolder = 'directory of the file storage must be the path of a folder, such as "./data/files"'

  it.each([
    [{ directory }, `${anAddress}; it is undefined`],
    [{ directory, publicUrl: "" }, `${anAddress}; it is an empty text`],
    [{ directory, publicUrl: "host.invalid" }, `${anAddress}; it is another text`],
    [{ directory, publicUrl: new URL(publicUrl) }, `${anAddress}; it is object`],
    [{ publicUrl }, `${aFolder}; it is undefined`],
    [{ publicUrl, directory: "" }, `${aFolder}; it is an empty text`]
  ])("are refused by whatever is built on it: %o", async (options, sentence) => {
    // As from JavaScript, which nobody has checked.
    await using files = makeFileStore(options as FileStoreOptions)
    await using solar = SolarSites.make(Layer.merge(MemoryAdapters.layer, files.layer))
    const refusal = await solar.organisations.list().catch((error) => error)
    expect(refusal).toMatchObject({ _tag: "StorageError", cause: { message: sentence } })
  })
})
