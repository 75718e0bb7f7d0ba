import { healthOfStates } from "@solar-sites/core"
import type { SiteCoverage } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { healthOfDocument, healthOfSite, healthOfSummary } from "../../src/health/Health.ts"
import { dayIn } from "../Fixtures.ts"

type State = SiteCoverage["items"][number]["state"]

const siteWith = (...states: ReadonlyArray<State>) => ({
  items: states.map((state) => ({ documentType: "epc" as const, state, documentId: null, validUntil: null }))
})

const none = { missing: 0, pending: 0, valid: 0, expiring: 0, expired: 0, not_yet_valid: 0 }

describe("the health", () => {
  it.each<[ReadonlyArray<State>, string | null]>([
    [[], null],
    [["valid", "valid"], "complete"],
    [["valid", "expiring"], "expiring"],
    [["expiring", "missing"], "missing"],
    [["pending", "valid"], "missing"],
    [["not_yet_valid", "expiring"], "missing"],
    [["missing", "expired", "valid"], "expired"]
  ])("of a site with %j is %s, as core filters sites", (states, health) => {
    expect(healthOfSite(siteWith(...states))).toBe(health)
    expect(healthOfStates(states)).toBe(health ?? "complete")
  })

  it("of a portfolio is the worst of its sites", () => {
    const summary = (...counts: ReadonlyArray<Partial<typeof none>>) => ({
      documentTypes: counts.map((count) => ({ documentType: "epc" as const, ...none, ...count }))
    })
    expect(healthOfSummary(summary())).toBe(null)
    expect(healthOfSummary(summary({}, {}))).toBe(null)
    expect(healthOfSummary(summary({ valid: 9 }, { valid: 9 }))).toBe("complete")
    expect(healthOfSummary(summary({ valid: 9 }, { valid: 8, expiring: 1 }))).toBe("expiring")
    expect(healthOfSummary(summary({ missing: 9 }, { valid: 8, expired: 1 }))).toBe("expired")
  })

  const requirements = [
    { documentType: "insurance", validityRequired: true, portfolioId: null, expiringWithinDays: 60 },
    { documentType: "insurance", validityRequired: true, portfolioId: "south", expiringWithinDays: 7 }
  ] as unknown as Parameters<typeof healthOfDocument>[1] // ids are brands

  const document = (changes: object) => ({
    ...{ documentType: "insurance" as const, replacedBy: null, status: "approved" as const, validUntil: null },
    ...changes
  })

  it.each([
    ["without a last day", { validUntil: null }, null],
    ["that ended yesterday", { validUntil: dayIn(-1) }, "expired"],
    ["that ends today", { validUntil: dayIn(0) }, "expiring"],
    ["within the days of its requirement", { validUntil: dayIn(60) }, "expiring"],
    ["after the days of its requirement", { validUntil: dayIn(61) }, null],
    ["of another kind within 30 days", { documentType: "epc", validUntil: dayIn(30) }, "expiring"],
    ["of no kind after 30 days", { documentType: null, validUntil: dayIn(31) }, null],
    ["that was replaced", { validUntil: dayIn(-1), replacedBy: "newer" }, null],
    ["without its file", { validUntil: dayIn(-1), status: "pending" }, null],
    ["that was rejected", { validUntil: dayIn(-1), status: "failed" }, null],
    ["to be reviewed", { validUntil: dayIn(-1), status: "uploaded" }, "expired"]
  ])("of a document %s is %s", (_, changes, health) =>
    expect(healthOfDocument(document(changes) as Parameters<typeof healthOfDocument>[0], requirements, null)).toBe(
      health
    )
  )

  it("of a document follows the requirement of its portfolio", () => {
    const inTenDays = document({ validUntil: dayIn(10) })
    expect(healthOfDocument(inTenDays, requirements, "south")).toBe(null)
    expect(healthOfDocument(inTenDays, requirements, "north")).toBe("expiring")
  })
})
