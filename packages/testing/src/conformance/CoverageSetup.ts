/**
 * Setup of the cases about coverage.
 */

import {
  CalendarDate,
  type CoverageConditions,
  type Document,
  type OrganisationId,
  RequirementRepository,
  requirementListRecords,
  type Site,
  type SiteCoverage
} from "@solar-sites/core"
import { Effect } from "effect"
import { aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { type DocumentPorts, insertDocumentIn } from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt, insertOrganisation } from "./Setup.ts"

/** Ports of the cases about coverage. */
export type CoveragePorts = RequirementRepository | DocumentPorts

export const day = (text: string): CalendarDate => CalendarDate.make(text)
export const today = day("2026-11-22")

/** An organisation that requires these documents of every site, an insurance by default. */
export const requiring = (...requirements: ReadonlyArray<Parameters<typeof aRequirement>[0]>) =>
  Effect.gen(function* () {
    const organisationId = yield* insertOrganisation()
    const list = requirements.length === 0 ? [aRequirement()] : requirements.map(aRequirement)
    yield* (yield* requirementListRecords).replace(organisationId, list, { at: changedAt })
    return organisationId
  })

/** Members of a document that is valid on these days. */
export const range = (validFrom: string | null, validUntil: string | null) => ({
  validFrom: validFrom === null ? null : day(validFrom),
  validUntil: validUntil === null ? null : day(validUntil)
})

/** An insurance in force without an end, in this status. */
export const insertInsurance = (
  site: Site,
  overrides: Partial<Document> = {},
  status: Document["status"] = "uploaded"
) => insertDocumentIn(site, status, { documentType: "insurance", ...overrides })

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

/** The items of one site. */
export const itemsOf = Effect.fnUntraced(function* (site: Site, asOf: CalendarDate = today) {
  const [found, ...others] = yield* allCoverage(site.organisationId, { siteId: site.id, asOf })
  assert.ok(found !== undefined && others.length === 0, "one site is found by its id")
  return found.items
})

/** The state and the document of the only requirement of a site. */
export const stateOf = Effect.fnUntraced(function* (site: Site, asOf: CalendarDate = today) {
  const items = yield* itemsOf(site, asOf)
  assert.equal(items.length, 1, "one item")
  return [items[0]?.state, items[0]?.documentId] as const
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
