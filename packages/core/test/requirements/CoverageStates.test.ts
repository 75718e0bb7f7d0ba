import { describe, expect, it } from "@effect/vitest"
import {
  CalendarDate,
  type CoverageState,
  coverageSummary,
  type Document,
  type DocumentRequirement,
  pageOfCoverage,
  type Site
} from "@solar-sites/core"
import { aDocument, aPortfolio, aRequirement, aSite } from "@solar-sites/testing"

const day = (text: string): CalendarDate => CalendarDate.make(text)
const today = day("2026-11-22")
const everything = { after: null, limit: 1_000 }

/** An insurance in force on these days. */
const insurance = (
  { id: siteId }: Site,
  [validFrom, validUntil]: readonly [string | null, string | null] = [null, null],
  overrides: Partial<Document> = {}
): Document =>
  aDocument({
    siteId,
    documentType: "insurance",
    status: "uploaded",
    validFrom: validFrom === null ? null : day(validFrom),
    validUntil: validUntil === null ? null : day(validUntil),
    ...overrides
  })

const itemsOf = (
  site: Site,
  documents: ReadonlyArray<Document>,
  requirements: ReadonlyArray<DocumentRequirement>,
  asOf: CalendarDate = today
) => pageOfCoverage({ requirements, sites: [site], documents }, { asOf }, everything).items[0]?.items ?? []

/** The state and the document of an insurance that every site needs. */
const stateOf = (
  site: Site,
  documents: ReadonlyArray<Document>,
  asOf?: CalendarDate,
  requirement: Partial<DocumentRequirement> = {}
) => {
  const [item] = itemsOf(site, documents, [aRequirement({ documentType: "insurance", ...requirement })], asOf)
  return [item?.state, item?.documentId]
}

type History = readonly [
  days: readonly [string | null, string | null],
  states: ReadonlyArray<readonly [string, CoverageState]>
]

/** A validity, and from which day on which state follows from it. */
const histories: ReadonlyArray<History> = [
  [
    [null, null],
    [
      ["0001-01-01", "valid"],
      ["9999-12-31", "valid"]
    ]
  ],
  [
    [null, "2027-03-01"],
    [
      ["2027-01-29", "valid"],
      ["2027-01-30", "expiring"],
      ["2027-03-01", "expiring"],
      ["2027-03-02", "expired"]
    ]
  ],
  [
    ["2028-02-29", null],
    [
      ["2028-02-28", "not_yet_valid"],
      ["2028-02-29", "valid"],
      ["9999-12-31", "valid"]
    ]
  ],
  [
    ["2026-12-31", "2027-01-01"],
    [
      ["2026-12-02", "not_yet_valid"],
      ["2026-12-30", "not_yet_valid"],
      ["2026-12-31", "expiring"],
      ["2027-01-02", "expired"]
    ]
  ]
]

describe("the coverage of a site", () => {
  it.each(histories)("follows from the days %j, the first and the last included", (days, states) => {
    const site = aSite()
    const document = insurance(site, days)
    for (const [asOf, state] of states) expect(stateOf(site, [document], day(asOf)), asOf).toEqual([state, document.id])
  })

  it("counts a document without a last day as missing where one is demanded, after all others", () => {
    const site = aSite()
    const demanded = { validityRequired: true }
    const [undated, expired] = [insurance(site), insurance(site, [null, "2020-01-01"])]
    expect(stateOf(site, [undated], today, demanded)).toEqual(["missing", undated.id])
    const all = [undated, expired, insurance(site, ["2030-01-01", null])]
    expect(stateOf(site, all, today, demanded)).toEqual(["expired", expired.id])
    expect(itemsOf(site, all, [aRequirement({ documentType: "insurance", ...demanded })])).toEqual([
      { documentType: "insurance", state: "expired", documentId: expired.id, validUntil: day("2020-01-01") }
    ])
  })

  it("counts the best of several documents, then the one that is valid longest, then the newest", () => {
    const site = aSite()
    const documents: Array<Document> = []
    // Each one counts before all that are stored before it.
    for (const [days, state] of [
      [[null, "2026-11-20"], "expired"],
      [[null, "2026-11-21"], "expired"],
      [["2026-11-23", "2026-11-30"], "not_yet_valid"],
      [["2026-12-23", "2026-12-24"], "not_yet_valid"],
      [["2027-11-23", null], "not_yet_valid"],
      [[null, "2026-11-22"], "expiring"],
      [[null, "2026-12-22"], "expiring"],
      [[null, "2026-12-23"], "valid"],
      [[null, "2026-12-24"], "valid"],
      [["2026-11-22", "2026-12-24"], "valid"],
      [[null, null], "valid"],
      [["2026-11-22", null], "valid"]
    ] as const) {
      const document = insurance(site, days)
      documents.push(document)
      expect(stateOf(site, documents), JSON.stringify(days)).toEqual([state, document.id])
      // A newer one that is worse.
      documents.push(insurance(site, [null, "2026-11-19"]))
      expect(stateOf(site, documents), JSON.stringify(days)).toEqual([state, document.id])
    }
  })

  it("counts current documents of the site and type alone, and pending ones where nothing is current", () => {
    const site = aSite()
    const documents = [
      insurance(aSite()),
      insurance(site, undefined, { documentType: "ppa" }),
      insurance(site, undefined, { documentType: null }),
      insurance(site, undefined, { status: "failed" }),
      insurance(site, undefined, { replacedBy: aDocument().id })
    ]
    expect(stateOf(site, documents)).toEqual(["missing", null])
    const add = (document: Document) => {
      documents.push(document)
      return document.id
    }
    add(insurance(site, undefined, { status: "pending" }))
    const pendingId = add(insurance(site, undefined, { status: "pending" }))
    expect(stateOf(site, documents)).toEqual(["pending", pendingId])
    const expiredId = add(insurance(site, [null, "2020-01-01"]))
    expect(stateOf(site, documents)).toEqual(["expired", expiredId])
    for (const status of ["approved", "completed"] as const) {
      const acceptedId = add(insurance(site, undefined, { status }))
      expect(stateOf(site, documents), status).toEqual(["valid", acceptedId])
    }
  })

  it("takes the requirement of a portfolio before that of all sites, in the order of the list", () => {
    const [{ id: portfolioId }, { id: other }] = [aPortfolio(), aPortfolio()]
    const [inside, free, elsewhere] = [aSite({ portfolioId }), aSite(), aSite({ portfolioId: other })]
    const sites = [inside, free, elsewhere]
    const requirements = [
      aRequirement({ documentType: "ppa" }),
      aRequirement({ documentType: "epc", portfolioId }),
      aRequirement({ documentType: "insurance" }),
      aRequirement({ documentType: "ppm", portfolioId: other }),
      aRequirement({ documentType: "ppa", portfolioId, validityRequired: true })
    ]
    const documents = [inside, free].map((site) => insurance(site, undefined, { documentType: "ppa" }))
    const shown = sites.map((site) =>
      itemsOf(site, documents, requirements).map(({ documentType, state }) => `${documentType} ${state}`)
    )
    expect(shown).toEqual([
      ["epc missing", "insurance missing", "ppa missing"],
      ["ppa valid", "insurance missing"],
      ["ppa missing", "insurance missing", "ppm missing"]
    ])
    const typesOf = (conditions: Parameters<typeof coverageSummary>[1]) =>
      coverageSummary({ requirements, sites, documents }, conditions).documentTypes.map((one) => one.documentType)
    expect(typesOf({ asOf: today })).toEqual(["ppa", "epc", "insurance", "ppm"])
    expect(typesOf({ asOf: today, portfolioId })).toEqual(["epc", "insurance", "ppa"])
  })
})
