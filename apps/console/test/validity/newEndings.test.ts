import type { Event } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { validityTexts } from "../../src/texts/en/validity.ts"
import { newEndingsOf } from "../../src/validity/newEndings.ts"

const eventOf = (id: string): Event => ({
  id: "01a21fc5-5fee-7347-96c7-8d18b2f6be48",
  sequence: 1,
  type: "document.expired",
  occurredAt: "2026-06-01T00:00:05.000Z",
  actor: { userId: null, apiKeyId: null, keyPrefix: null },
  subject: { type: "document", id, name: "lease.pdf" },
  siteId: null,
  changes: { validUntil: { from: "2026-05-31", to: "2026-05-31" } },
  requestId: null
})

describe("the news about the end of validity", () => {
  it("count each document once, and go on behind the last event", () => {
    const data = [eventOf("a"), eventOf("b"), eventOf("a")]
    expect(newEndingsOf({ data, nextCursor: "place" })).toEqual({ count: 2, isMore: false, place: "place" })
  })

  it("say that there are more than one page has", () => {
    const data = Array.from({ length: 100 }, (_, index) => eventOf(String(index)))
    expect(newEndingsOf({ data, nextCursor: "place" })).toMatchObject({ count: 100, isMore: true })
  })

  it("read as sentences", () => {
    const { expired, expiring } = validityTexts.sentences
    expect(expired(1, false)).toBe("1 document has expired")
    expect(expired(100, true)).toBe("More than 100 documents have expired")
    expect(expiring(2, false)).toBe("2 documents expire soon")
  })
})
