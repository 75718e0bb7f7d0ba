import { ChangeDocumentStatus, Name, UpdateSite } from "@solar-sites/core"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"

const read = (value: unknown) => Result.getOrNull(Schema.decodeUnknownResult(Name)(value))

describe("Name", () => {
  it("is trimmed and stored in NFC", () => {
    expect(read("  Cafe\u0301  ")).toBe("Café")
  })

  it("counts code points, not UTF-16 units", () => {
    const sun = "\u{1F31E}"
    expect(read(sun.repeat(200))).toBe(sun.repeat(200))
    expect(read(sun.repeat(201))).toBeNull()
  })

  it("counts after trimming and composing", () => {
    expect(read(` ${"e\u0301".repeat(200)} `)).toBe("é".repeat(200))
  })

  it("counts code points after NFC, and skips NFC for text that is too long in any case", () => {
    expect(read("\u03b1\u0313\u0300\u0345".repeat(200))).toBe("\u1f82".repeat(200))
    // Bringing these marks into their order takes minutes.
    expect(read(`a${"\u0301".repeat(200_000)}${"\u0316".repeat(200_000)}`)).toBeNull()
  })

  it.each([
    ["nothing", ""],
    ["white space alone", "   "],
    ["NUL", "a\u0000b"],
    ["a line feed", "a\nb"],
    ["DEL", "a\u007f"],
    ["a C1 control", "a\u0085b"],
    ["a right-to-left override", "a\u202eb"],
    ["an isolate", "a\u2066b"],
    ["a high surrogate alone", "a\ud800"],
    ["a low surrogate alone", "\udc00a"],
    ["a number", 7],
    ["null", null]
  ])("refuses %s", (_, value) => {
    expect(read(value)).toBeNull()
  })

  it.each(["'; drop table site; --", "<script>alert(1)</script>", "{{7*7}}", "مرحبا", "0", "null"])(
    "takes %s as plain text",
    (value) => {
      expect(read(value)).toBe(value)
    }
  )
})

describe("an address and a reason", () => {
  const readAddress = (address: unknown) =>
    Result.getOrNull(Schema.decodeUnknownResult(UpdateSite)({ address }))?.address ?? null
  const readReason = (reason: unknown) =>
    Result.getOrNull(Schema.decodeUnknownResult(ChangeDocumentStatus)({ status: "failed", reason }))?.reason ?? null

  it("convert line ends to line feeds before the length check", () => {
    expect(readAddress("1 Solar Road\r\nWells\n\nSomerset\n")).toBe("1 Solar Road\nWells\n\nSomerset\n")
    expect(readAddress("\r\n".repeat(500))).toBe("\n".repeat(500))
    expect(readAddress("\n".repeat(501))).toBeNull()
    expect(readReason("  Page 2 is missing.\r\nSend it again.\n")).toBe("Page 2 is missing.\nSend it again.")
  })

  it.each([
    ["a carriage return alone", "a\rb"],
    ["a carriage return before CR LF", "a\r\r\nb"],
    ["a tab", "a\tb"],
    ["a line separator of C1", "a\u0085b"],
    ["a right-to-left override in the second line", "a\n\u202eb"]
  ])("refuse %s", (_, value) => {
    expect(readAddress(value)).toBeNull()
    expect(readReason(value)).toBeNull()
  })
})
