/**
 * Setup of the cases about coverage.
 */

import {
  CalendarDate,
  type CoverageConditions,
  type OrganisationId,
  RequirementRepository,
  type Site,
  type SiteCoverage
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { assert } from "./Assert.ts"
import type { DocumentPorts } from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"

/** Ports of the cases about coverage. */
export type CoveragePorts = RequirementRepository | DocumentPorts

const day = (text: string): CalendarDate => CalendarDate.make(text)
export const today = day("2026-11-22")

/** The day so many days later. */
export const addDays = (from: CalendarDate, days: number): CalendarDate =>
  CalendarDate.make(DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(from), { days })))

/** All pages of the coverage, of `limit` sites each. */
export const allCoverage = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  conditions: Partial<CoverageConditions> = {},
  limit: number = 1_000
) {
  const { listCoverage } = yield* RequirementRepository
  const found: Array<SiteCoverage> = []
  let after: Site["id"] | null = null
  while (true) {
    const page: { readonly items: ReadonlyArray<SiteCoverage>; readonly next: Site["id"] | null } = yield* listCoverage(
      organisationId,
      { asOf: today, ...conditions },
      { after, limit }
    )
    assert.ok(page.items.length <= limit, `a page has at most ${limit} sites, not ${page.items.length}`)
    found.push(...page.items)
    if (page.next === null) return found
    assert.ok(after === null || page.next > after, `the next position follows ${after}, unlike ${page.next}`)
    after = page.next
  }
})

/** The stored documents of the organisation. */
export const allDocuments = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { items } = yield* (yield* documentMethods).list(organisationId, {}, { after: null, limit: 1_000 })
  return items
})

/** Linear congruential generator: the same numbers in every run, so that a failure is repeatable. */
export const makeChoices = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761)
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const of = <A>(...options: readonly [A, ...Array<A>]): A => options[below(options.length)] ?? options[0]
  return { below, of }
}
