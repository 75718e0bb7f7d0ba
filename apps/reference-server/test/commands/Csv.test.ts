import { describe, expect, it } from "vitest"
import { csvLine } from "../../src/commands/Csv.ts"

describe("a line of CSV", () => {
  it("quotes separators, quotes and ends of lines", () => {
    expect(csvLine(["a", null, 'say "so"', "a,b", "two\nlines", " b "])).toBe('a,,"say ""so""","a,b","two\nlines", b ')
  })

  it("keeps a spreadsheet from computing texts", () => {
    const texts = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "a=1", "'=1"]
    expect(csvLine(texts)).toBe("'=1+1,'+1,'-1,'@x,'\tx,\"'\rx\",a=1,'=1")
  })
})
