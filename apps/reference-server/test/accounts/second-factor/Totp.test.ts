import { describe, expect, it } from "vitest"
import { base32, codeOf, keyUri, matchingStep, stepAt } from "../../../src/accounts/second-factor/Totp.ts"

const secret = Buffer.from("12345678901234567890")

describe("one-time codes by time", () => {
  // RFC 6238, appendix B, SHA-1; the last six of eight digits.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"]
  ])("at %d s are as in RFC 6238", (seconds, code) => {
    expect(codeOf(secret, stepAt(seconds * 1_000))).toBe(code)
    expect(matchingStep(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
  })

  it("are accepted one step early and late, and no longer", () => {
    const now = 1_111_111_111_000
    const step = stepAt(now)
    const found = [-2, -1, 0, 1, 2].map((ahead) => matchingStep(secret, codeOf(secret, step + ahead), now))
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  it("have six ASCII digits", () => {
    for (const text of ["", "50471", "0050471", "05047١", "abcdef", "٠٥٠٤٧١", " 50471"]) {
      expect(matchingStep(secret, text, 1_111_111_111_000)).toBeUndefined()
    }
  })

  // RFC 4648, section 10, without padding.
  it.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"]
  ])("write %j in base32 as %s", (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })

  it("have an address for authenticator apps", () => {
    const url = new URL(keyUri(secret, { account: "ada@example.com", issuer: "Solar Sites" }))
    expect(`${url.protocol}//${url.host}${decodeURIComponent(url.pathname)}`).toBe(
      "otpauth://totp/Solar Sites:ada@example.com"
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      issuer: "Solar Sites",
      algorithm: "SHA1",
      digits: "6",
      period: "30"
    })
  })
})
