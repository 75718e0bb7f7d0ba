import { Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { SizeText } from "../../src/configuration/SizeText.ts"

const decode = Schema.decodeUnknownExit(SizeText)

describe("SizeText", () => {
  it.each([
    ["1", 1],
    ["104857600", 104_857_600],
    ["3kB", 3_000],
    ["3MB", 3_000_000],
    ["3GB", 3_000_000_000],
    ["3KiB", 3_072],
    ["100MiB", 104_857_600],
    ["2GiB", 2_147_483_648]
  ])("reads %s", (text, bytes) => {
    expect(decode(text)).toEqual(Exit.succeed(bytes))
  })

  it.each(["", "0", "0MiB", "-1", "1.5MiB", "1 MiB", "1mib", "1M", "1TB", "1B", "MiB", "1e6", "999999999999999GiB"])(
    "refuses '%s'",
    (text) => {
      expect(Exit.isFailure(decode(text))).toBe(true)
    }
  )
})
