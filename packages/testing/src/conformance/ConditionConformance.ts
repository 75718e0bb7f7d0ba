/**
 * Every condition of a query filters.
 */
import {
  type DocumentConditions,
  DocumentRepository,
  ListDocuments,
  ListSites,
  OmRecordId,
  paging,
  type SiteConditions,
  SiteRepository
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { currentDocument, type DocumentPorts, insertDocumentIn, siteInOwnOrganisation } from "./DocumentSetup.ts"
import { insertOrganisation, insertPortfolio, insertSite, type RecordPorts } from "./Setup.ts"

const everything = { after: null, limit: 100 }

/** A value for every condition. The type keeps this list complete. */
type Values<Conditions> = { readonly [Member in keyof Conditions]-?: NonNullable<Conditions[Member]> | null }

/** Conditions with one member each. */
const oneByOne = <Conditions extends object>(
  fields: object,
  values: Values<Conditions>
): ReadonlyArray<Partial<Conditions>> => {
  const given: Readonly<Record<string, unknown>> = { ...values }
  const members = Object.keys(fields).filter((member) => !(member in paging("sites", 1)))
  // The schema has the members of the conditions, and the values have their types.
  return members.map((member) => ({ [member]: given[member] }) as Partial<Conditions>)
}

export const siteConditionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "filters sites by each condition alone",
    check: Effect.gen(function* () {
      const { list } = yield* SiteRepository
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      yield* insertSite(organisationId)
      const site = yield* insertSite(organisationId, { portfolioId })
      yield* insertSite(organisationId)
      for (const conditions of oneByOne<SiteConditions>(ListSites.fields, { siteId: site.id, portfolioId })) {
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
      const { list } = yield* DocumentRepository
      const other = yield* siteInOwnOrganisation
      const { organisationId } = other
      const place = yield* insertSite(organisationId)
      const [omRecordId, type, documentType] = [OmRecordId.make("om-1"), "om-documents", "ppa"] as const
      yield* insertDocumentIn(other, "pending")
      const document = yield* insertDocumentIn(place, "uploaded", { omRecordId, type, documentType })
      yield* insertDocumentIn(other, "failed")
      const values = { siteId: place.id, status: "uploaded", omRecordId, type, documentType, current: true } as const
      for (const conditions of oneByOne<DocumentConditions>(ListDocuments.fields, values)) {
        const found = yield* list(organisationId, conditions, everything)
        const expected = { items: [yield* currentDocument(document)], hasMore: false }
        assert.deepEqual(found, expected, `by ${Object.keys(conditions)}`)
      }
    })
  }
]
