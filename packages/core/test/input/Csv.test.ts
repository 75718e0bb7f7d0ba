import { describe, expect, it } from "vitest"
import { csvLine, csvText } from "../../src/index.ts"

describe("a line of CSV", () => {
  it("quotes separators, quotes and ends of lines", () => {
    expect(csvLine(["a", null, 'say "so"', "a,b", "two\nlines", " b "])).toBe('a,,"say ""so""","a,b","two\nlines", b ')
  })

  it("keeps a spreadsheet from computing texts, and leaves numbers", () => {
    const texts = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "a=1"]
    expect(csvLine(texts)).toBe("'=1+1,'+1,'-1,'@x,'\tx,\"'\rx\",a=1")
    expect(csvLine([-1.5, 0, 1e21, true])).toBe("-1.5,0,1e+21,true")
  })

  it("tells an empty text from none", () => {
    expect(csvLine(["", null, ""])).toBe('"",,""')
  })

  it("is read back without a change", () => {
    const texts = ["=1", "'=1", "''-1", "'", "'a", "''", "a'=1", "-", "'@", "'\t"]
    expect(texts.map((text) => csvText(csvLine([text])))).toEqual(texts)
    expect(csvLine(["'=1"])).toBe("''=1")
  })
})
