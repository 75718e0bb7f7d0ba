/**
 * The states of a `RequirementRepository`: which document counts for a requirement, and how.
 */
import type { CalendarDate, CoverageState, Document } from "@solar-sites/core"
import { RequirementRepository, requirementListRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { aDocument, aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { type CoveragePorts, day, insertInsurance, itemsOf, range, requiring, stateOf, today } from "./CoverageSetup.ts"
import { portfolioMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const at = { at: changedAt }

/** A validity, and from which day on which state follows from it. */
const histories: ReadonlyArray<readonly [Partial<Document>, ReadonlyArray<readonly [string, CoverageState]>]> = [
  [
    range(null, null),
    [
      ["0001-01-01", "valid"],
      ["9999-12-31", "valid"]
    ]
  ],
  [
    range(null, "2027-03-01"),
    [
      ["2027-01-29", "valid"],
      ["2027-01-30", "expiring"],
      ["2027-03-01", "expiring"],
      ["2027-03-02", "expired"]
    ]
  ],
  [
    range("2028-02-29", null),
    [
      ["2028-02-28", "not_yet_valid"],
      ["2028-02-29", "valid"],
      ["9999-12-31", "valid"]
    ]
  ],
  [
    range("2026-12-31", "2027-01-01"),
    [
      ["2026-12-02", "not_yet_valid"],
      ["2026-12-30", "not_yet_valid"],
      ["2026-12-31", "expiring"],
      ["2027-01-02", "expired"]
    ]
  ]
]

export const coverageStateCases: ReadonlyArray<ConformanceCase<CoveragePorts>> = [
  ...inBothZones({
    name: "derives the state of a document from its days, the first and the last included",
    check: Effect.gen(function* () {
      for (const [validity, states] of histories) {
        const site = yield* insertSite(yield* requiring())
        const { id } = yield* insertInsurance(site, validity)
        for (const [asOf, state] of states) {
          assert.deepEqual(yield* stateOf(site, day(asOf)), [state, id], `${JSON.stringify(validity)} on ${asOf}`)
        }
      }
    })
  }),
  {
    name: "counts a document without a last day as missing where one is demanded, after all others",
    check: Effect.gen(function* () {
      const site = yield* insertSite(yield* requiring({ validityRequired: true }))
      const undated = yield* insertInsurance(site)
      assert.deepEqual(yield* stateOf(site), ["missing", undated.id])
      const expired = yield* insertInsurance(site, range(null, "2020-01-01"))
      yield* insertInsurance(site, range("2030-01-01", null))
      assert.deepEqual(yield* stateOf(site), ["expired", expired.id], "any dated document counts before")
      const [item] = yield* itemsOf(site)
      assert.deepEqual(item, {
        documentType: "insurance",
        state: "expired",
        documentId: expired.id,
        validUntil: day("2020-01-01")
      })
    })
  },
  {
    name: "counts the best of several documents, then the one that is valid longest, then the newest",
    check: Effect.gen(function* () {
      const site = yield* insertSite(yield* requiring())
      // Each one counts before all that are stored before it.
      for (const [validity, state] of [
        [range(null, "2026-11-20"), "expired"],
        [range(null, "2026-11-21"), "expired"],
        [range("2026-11-23", "2026-11-30"), "not_yet_valid"],
        [range("2026-12-23", "2026-12-24"), "not_yet_valid"],
        [range("2027-11-23", null), "not_yet_valid"],
        [range(null, "2026-11-22"), "expiring"],
        [range(null, "2026-12-22"), "expiring"],
        [range(null, "2026-12-23"), "valid"],
        [range(null, "2026-12-24"), "valid"],
        [range("2026-11-22", "2026-12-24"), "valid"],
        [range(null, null), "valid"],
        [range("2026-11-22", null), "valid"]
      ] as const) {
        const { id } = yield* insertInsurance(site, validity)
        assert.deepEqual(yield* stateOf(site), [state, id], JSON.stringify(validity))
        // A worse one that is newer.
        yield* insertInsurance(site, range(null, "2026-11-19"))
        assert.deepEqual(yield* stateOf(site), [state, id], "a newer one that is worse does not count")
      }
    })
  },
  {
    name: "counts current documents of the site and type alone, and pending ones where nothing is current",
    check: Effect.gen(function* () {
      const organisationId = yield* requiring()
      const [site, other] = [yield* insertSite(organisationId), yield* insertSite(organisationId)]
      yield* insertInsurance(other)
      yield* insertInsurance(site, { documentType: "ppa" })
      yield* insertInsurance(site, { documentType: null })
      yield* insertInsurance(site, {}, "failed")
      yield* insertInsurance(site, { replacedBy: aDocument().id })
      assert.deepEqual(yield* stateOf(site), ["missing", null])
      yield* insertInsurance(site, {}, "pending")
      const { id: pendingId } = yield* insertInsurance(site, {}, "pending")
      assert.deepEqual(yield* stateOf(site), ["pending", pendingId], "the newest upload")
      const { id } = yield* insertInsurance(site, range(null, "2020-01-01"))
      assert.deepEqual(yield* stateOf(site), ["expired", id], "a current one counts before an upload")
      for (const status of ["approved", "completed"] as const) {
        const accepted = yield* insertInsurance(site, {}, status)
        assert.deepEqual(yield* stateOf(site), ["valid", accepted.id], status)
      }
    })
  },
  {
    name: "lets the requirement of a portfolio count before that of all sites, in the order of the list",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const { id: other } = yield* insertPortfolio(organisationId)
      const [inside, free] = [yield* insertSite(organisationId, { portfolioId }), yield* insertSite(organisationId)]
      const elsewhere = yield* insertSite(organisationId, { portfolioId: other })
      const list = [
        aRequirement({ documentType: "ppa" }),
        aRequirement({ documentType: "epc", portfolioId }),
        aRequirement({ documentType: "insurance" }),
        aRequirement({ documentType: "ppm", portfolioId: other }),
        aRequirement({ documentType: "ppa", portfolioId, validityRequired: true })
      ]
      yield* replace(organisationId, list, at)
      for (const site of [inside, free]) yield* insertInsurance(site, { documentType: "ppa" })
      const shown = (site: typeof inside) =>
        Effect.map(itemsOf(site), (items) => items.map(({ documentType, state }) => `${documentType} ${state}`))
      assert.deepEqual(yield* shown(inside), ["epc missing", "insurance missing", "ppa missing"])
      assert.deepEqual(yield* shown(free), ["ppa valid", "insurance missing"])
      assert.deepEqual(yield* shown(elsewhere), ["ppa missing", "insurance missing", "ppm missing"])
      const { summariseCoverage } = yield* RequirementRepository
      const typesOf = (conditions: { readonly asOf: CalendarDate; readonly portfolioId?: typeof portfolioId }) =>
        Effect.map(summariseCoverage(organisationId, conditions), ({ documentTypes }) =>
          documentTypes.map(({ documentType }) => documentType)
        )
      assert.deepEqual(yield* typesOf({ asOf: today }), ["ppa", "epc", "insurance", "ppm"])
      assert.deepEqual(yield* typesOf({ asOf: today, portfolioId }), ["epc", "insurance", "ppa"])
      yield* (yield* portfolioMethods).delete(organisationId, portfolioId, at)
      assert.deepEqual(yield* shown(inside), ["ppa valid", "insurance missing"], "after its deletion")
    })
  }
]
