import { join } from "node:path"
import { type FilesystemOptions, layer, makeFileStore } from "@solar-sites/adapter-filesystem"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"

const publicUrl = "https://host.invalid"
const directory = join("nowhere", "files")

describe("options of the file storage", () => {
  const anAddress =
    'publicUrl of the file storage must be an http or https address without credentials, query and fragment, such as "https://solar.example.com"'
  const aFolder = 'directory of the file storage must be the path of a folder, such as "./data/files"'
  const aSecret = "secret of the file storage must be a text of at least 32 bytes, or Redacted"

  it.each([
    [{}, `${aFolder}; it is undefined`],
    [{ directory, publicUrl, folder: "x" }, "the file storage has no option folder; it has directory, publicUrl,"],
    [{ directory }, `${anAddress}; it is undefined`],
    [{ directory, publicUrl: "" }, `${anAddress}; it is an empty text`],
    [{ directory, publicUrl: "host.invalid" }, `${anAddress}; it is another text`],
    [{ directory, publicUrl: new URL(publicUrl) }, `${anAddress}; it is an object`],
    [{ publicUrl }, `${aFolder}; it is undefined`],
    [{ publicUrl, directory: "" }, `${aFolder}; it is an empty text`],
    [{ directory, publicUrl, secret: "hush-hush" }, `${aSecret}; it is another text`],
    [{ directory, publicUrl, secret: Redacted.make("hush-hush") }, `${aSecret}; it is another text`],
    [{ directory, publicUrl, maximumFileBytes: 0 }, "maximumFileBytes of the file storage must be a whole number"]
  ])("are refused at once, without the secret: %o", (options, sentence) => {
    // As from JavaScript, which checks no types.
    const given = options as FilesystemOptions
    for (const making of [() => layer(given), () => makeFileStore(given)]) {
      expect(making).toThrow(TypeError)
      expect(making).toThrow(sentence)
      expect(making).not.toThrow(/hush-hush/)
    }
  })
})
