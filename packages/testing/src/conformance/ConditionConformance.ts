/**
 * Every condition of a query filters.
 */

import {
  CalendarDate,
  type DocumentConditions,
  ListDocuments,
  ListSites,
  OmRecordId,
  type SiteConditions
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { currentDocument, type DocumentPorts, insertDocumentIn, siteInOwnOrganisation } from "./DocumentSetup.ts"
import { documentMethods, siteMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts,
  secondsBefore
} from "./Setup.ts"

const everything = { after: null, limit: 100 }

/** A value for every condition. The type keeps this list complete. */
type Values<Conditions> = { readonly [Member in keyof Conditions]-?: NonNullable<Conditions[Member]> | null }

/** Conditions with one member each. */
const oneByOne = <Conditions extends object>(
  fields: object,
  values: Values<Conditions>
): ReadonlyArray<Partial<Conditions>> => {
  const given: Readonly<Record<string, unknown>> = { ...values }
  const members = Object.keys(fields).filter((member) => !["sort", "order", "limit", "cursor"].includes(member))
  // The schema has the members of the conditions, and the values have their types.
  return members.map((member) => ({ [member]: given[member] }) as Partial<Conditions>)
}

export const siteConditionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "filters sites by each condition alone",
    check: Effect.gen(function* () {
      const { list } = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      yield* insertSite(organisationId)
      const labels = { externalId: "S-1", tags: ["roof", "leased"] }
      const others = { ...labels, siteName: "Other than the Rest", unit: "MWp", updatedAt: changedAt } as const
      const site = yield* insertSite(organisationId, { portfolioId, ...others })
      yield* insertSite(organisationId)
      const { id: siteId, unit } = site
      const values = {
        siteId,
        portfolioId,
        q: "OTHER",
        unit,
        updatedAfter: secondsBefore(1),
        externalId: "S-1",
        tag: ["leased", "roof"]
      }
      for (const conditions of oneByOne<SiteConditions>(ListSites.fields, values)) {
        const found = yield* list(organisationId, conditions, everything)
        assert.deepEqual(found, { items: [site], hasMore: false }, `by ${Object.keys(conditions)}`)
      }
    })
  }
]

export const documentConditionCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "filters documents by each condition alone",
    check: Effect.gen(function* () {
      const { list, update } = yield* documentMethods
      const other = yield* siteInOwnOrganisation
      const { organisationId } = other
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const place = yield* insertSite(organisationId, { portfolioId })
      const [omRecordId, type, documentType] = [OmRecordId.make("om-1"), "om-documents", "ppa"] as const
      yield* insertDocumentIn(other, "pending")
      const document = yield* insertDocumentIn(place, "uploaded", { omRecordId, type, documentType })
      const [validUntil, validUntilBefore] = [CalendarDate.make("2026-12-30"), CalendarDate.make("2026-12-31")]
      yield* update(organisationId, document.id, { note: "Signed twice", validUntil }, { at: changedAgainAt })
      yield* insertDocumentIn(other, "failed")
      const members = { siteId: place.id, status: "uploaded", omRecordId, type, documentType, current: true } as const
      const values = { ...members, portfolioId, q: "twice", validUntilBefore, updatedAfter: changedAt }
      for (const conditions of oneByOne<DocumentConditions>(ListDocuments.fields, values)) {
        const found = yield* list(organisationId, conditions, everything)
        const expected = { items: [yield* currentDocument(document)], hasMore: false }
        assert.deepEqual(found, expected, `by ${Object.keys(conditions)}`)
      }
    })
  }
]
