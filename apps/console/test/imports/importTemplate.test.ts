import { describe, expect, it } from "vitest"
import { importTemplate } from "../../src/imports/importTemplate.ts"
import { makeFormats } from "../../src/texts/formats.ts"

describe("the template of an import", () => {
  const rowIn = (locale: string) => importTemplate(makeFormats(locale).formatExact).split("\r\n")[1]

  it("has a decimal point and commas between cells", () => {
    expect(rowIn("en-GB")).toBe('Long Meadow,48.6,kWp,,SITE-1,"1 Solar Road, Wells",51.2093,-2.6449,,,')
  })

  it("has a decimal comma and semicolons where the reader writes one", () => {
    expect(rowIn("de-DE")).toBe("Long Meadow;48,6;kWp;;SITE-1;1 Solar Road, Wells;51,2093;-2,6449;;;")
  })
})
