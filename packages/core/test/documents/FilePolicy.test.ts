import { UploadPolicy } from "@solar-sites/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { readMimeType, refusalOfFile } from "../../src/documents/FilePolicy.ts"

const policy = Effect.runSync(Effect.service(UploadPolicy))
const mebibyte = 1_024 * 1_024
const file = { filename: "lease.pdf", mimeType: "application/pdf", sizeBytes: 1 }
const judge = (overrides: Partial<typeof file>, purpose: Parameters<typeof refusalOfFile>[1] = "documents") =>
  refusalOfFile(policy, purpose, { ...file, ...overrides })?.code

// Names of file(1), of shared-mime-info (browsers on Linux), of browsers on Windows, and of registries.
const executables = [
  "application/x-ms-dosexec",
  "application/x-ms-dos-executable",
  "application/x-ms-ne-executable",
  "application/vnd.microsoft.portable-executable",
  "application/x-dosexec",
  "application/x-executable",
  "application/x-pie-executable",
  "application/x-sharedlib",
  "application/x-elf",
  "application/x-mach-binary",
  "application/x-msi",
  "application/x-ms-installer",
  "application/x-msdownload",
  "application/x-msdos-program",
  "application/exe",
  "application/x-exe",
  "application/x-winexe",
  "application/dos-exe",
  "application/x-msdos-windows",
  "application/java-archive",
  "application/x-java-archive",
  "application/x-java-applet",
  "application/java-vm",
  "application/vnd.android.package-archive",
  "application/x-apple-diskimage",
  "application/vnd.apple.installer+xml",
  "application/vnd.appimage",
  "application/vnd.debian.binary-package",
  "application/x-debian-package",
  "application/x-rpm",
  "application/msix",
  "application/x-sh",
  "application/x-csh",
  "application/x-shellscript",
  "text/x-shellscript",
  "text/x-script.sh",
  "application/x-shar",
  "application/bat",
  "application/x-bat",
  "text/x-msdos-batch",
  "application/x-dos-batch",
  "text/cmd",
  "text/x-ms-regedit",
  "application/hta",
  "application/wasm"
]

describe("refusalOfFile", () => {
  it.each([
    "lease.pdf",
    "Ünïcödé 日本 🌞.pdf",
    "..hidden",
    "...",
    " spaces ",
    "quotes\"and'more",
    "a;b=c",
    "100%.pdf",
    "con",
    "a".repeat(255)
  ])("takes the filename %j as it is", (filename) => {
    expect(judge({ filename })).toBeUndefined()
  })

  it.each([
    ["nothing", ""],
    [".", "."],
    ["..", ".."],
    ["a slash", "a/b"],
    ["a backslash", "a\\b"],
    ["NUL", "a\u0000b"],
    ["a line feed", "a\nb"],
    ["a C1 control", "a\u009fb"],
    ["a lone surrogate", "a\ud800"],
    ["256 bytes", "a".repeat(256)],
    ["128 characters of two bytes each", "é".repeat(128)]
  ])("refuses %s as a filename", (_, filename) => {
    expect(judge({ filename })).toBe("invalid_filename")
  })

  it.each([
    "text/html",
    "application/xhtml+xml",
    "image/svg+xml",
    "image/svg",
    "text/javascript",
    "text/javascript1.5",
    "application/x-javascript",
    "text/x-ecmascript",
    "text/jscript",
    "text/livescript",
    "text/vbscript",
    "application/x-powershell",
    "text/x-python",
    "application/x-python-code",
    "application/x-perl",
    "text/x-perl",
    "application/x-ruby",
    "text/x-php",
    "text/x-sh",
    "application/x-bash",
    "application/x-ms-shortcut",
    "application/x-winlnk",
    "application/x-url",
    "application/x-mswinurl",
    "application/x-desktop",
    ...executables
  ])("refuses %s, in any letter case and with parameters", (mimeType) => {
    expect(judge({ mimeType: readMimeType(mimeType) })).toBe("mime_type_not_allowed")
    expect(judge({ mimeType: readMimeType(`${mimeType.toUpperCase()}; charset=utf-8`) })).toBe("mime_type_not_allowed")
  })

  it.each([
    "application/pdf",
    "text/plain",
    "image/heic",
    "application/vnd.ms-excel",
    "text/xml",
    "application/json",
    "video/mp4",
    "application/octet-stream",
    "application/zip",
    "application/postscript",
    "application/vnd.ms-project",
    "text/csv",
    "text/x-component-list",
    "message/rfc822"
  ])("takes %s as a document", (mimeType) => {
    expect(judge({ mimeType })).toBeUndefined()
  })

  it("takes pictures of three kinds alone as cover images", () => {
    for (const mimeType of ["image/jpeg", "image/png", "image/webp"]) {
      expect(judge({ mimeType }, "coverImage")).toBeUndefined()
    }
    for (const mimeType of ["image/gif", "application/pdf", "application/octet-stream"]) {
      expect(judge({ mimeType }, "coverImage")).toBe("mime_type_not_allowed")
    }
  })

  it("takes 100 MiB and no byte more, of cover images 20 MiB", () => {
    expect(judge({ sizeBytes: 100 * mebibyte })).toBeUndefined()
    expect(judge({ sizeBytes: 100 * mebibyte + 1 })).toBe("file_too_large")
    expect(judge({ mimeType: "image/png", sizeBytes: 20 * mebibyte }, "coverImage")).toBeUndefined()
    expect(judge({ mimeType: "image/png", sizeBytes: 20 * mebibyte + 1 }, "coverImage")).toBe("file_too_large")
    expect(refusalOfFile(policy, "documents", { ...file, sizeBytes: null })).toBeUndefined()
  })
})

describe("readMimeType", () => {
  it.each([
    ["Application/PDF", "application/pdf"],
    [" text/plain ; charset=utf-8", "text/plain"],
    ["", "application/octet-stream"],
    ["pdf", "application/octet-stream"],
    ["a/b/c", "application/octet-stream"],
    ["text/", "application/octet-stream"],
    ["text/pl ain", "application/octet-stream"],
    ["text/plain\r\nx-header: 1", "application/octet-stream"]
  ])("reads %j as %s", (sent, read) => {
    expect(readMimeType(sent)).toBe(read)
  })
})
