import { OrganisationId, UserId } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { isSigned, linkToken, subjectIn } from "../../src/digest/DigestLink.ts"

const subject = {
  organisationId: OrganisationId.make("01a24f31-e640-722d-9e36-388f8f3f6e37"),
  userId: UserId.make("01a24f31-e640-7232-820a-0db31873d9cd")
}
const key = "ab".repeat(32)
const token = linkToken(subject, key)

describe("the token of a digest", () => {
  it("names its user and is signed with the key", () => {
    expect(token).toMatch(/^[\w-]{86}$/)
    expect(subjectIn(token)).toEqual(subject)
    expect(isSigned(token, subject, key)).toBe(true)
    expect(isSigned(token, subject, "cd".repeat(32))).toBe(false)
  })

  it("is not good for another user, nor with a change of any character", () => {
    const other = { ...subject, userId: UserId.make("01a24f31-e640-7260-9e57-3265e3ebc6f0") }
    expect(isSigned(token, other, key)).toBe(false)
    for (let index = 0; index < token.length; index++) {
      const changed = `${token.slice(0, index)}${token[index] === "A" ? "B" : "A"}${token.slice(index + 1)}`
      const found = subjectIn(changed)
      expect([index, found !== undefined && isSigned(changed, found, key)]).toEqual([index, false])
    }
  })

  it.for(["", "x", token.slice(1), `${token}A`, token.replace(/.$/, "é"), `${token.slice(0, 85)}=`])(
    "is not %j",
    (text) => {
      expect(subjectIn(text)).toBeUndefined()
    }
  )
})
