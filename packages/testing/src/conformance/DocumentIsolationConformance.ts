/**
 * Isolation in a `DocumentRepository`: two organisations have sites and documents with the same
 * ids.
 */

import type { DocumentConditions } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { currentDocument, type DocumentPorts, documentOf, farFuture, insertDocument } from "./DocumentSetup.ts"
import { forEitherTwin } from "./DocumentTwins.ts"
import { expectPages } from "./Expectations.ts"
import { documentMethods, siteMethods } from "./Methods.ts"
import { insertOrganisation, insertPortfolio, insertSite } from "./Setup.ts"

export const documentIsolationCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "reads an organisation's own documents where another one has the same ids",
    check: forEitherTwin(({ organisationId, paper, picture, secondPaper, site }) =>
      Effect.gen(function* () {
        const { findById, findExisting, insertMany, list } = yield* documentMethods
        for (const document of [picture, paper]) {
          assert.deepEqual(yield* findById(organisationId, document.id), Option.some(document), "findById")
        }
        assert.deepEqual(yield* findExisting(organisationId, [paper.id]), new Set([paper.id]), "findExisting")
        const { documentType, omRecordId, type } = paper
        const narrow: ReadonlyArray<DocumentConditions> = [
          { type },
          ...(documentType === null ? [] : [{ documentType }]),
          ...(omRecordId === null ? [] : [{ omRecordId }, { omRecordId, siteId: site.id }])
        ]
        for (const conditions of [{}, { siteId: site.id }, { status: "pending" }] as const) {
          yield* expectPages((page) => list(organisationId, conditions, page), [picture, paper, secondPaper])
        }
        for (const conditions of narrow) {
          yield* expectPages((page) => list(organisationId, conditions, page), [paper, secondPaper])
        }
        const again = documentOf(site, { id: paper.id, path: paper.path, filename: "Again.pdf" })
        assert.deepEqual(yield* insertMany(organisationId, site.id, [again], farFuture), [paper], "a repeated insert")
      })
    )
  },
  {
    name: "deletes a site without the documents that another organisation has at a site with the same id",
    check: Effect.gen(function* () {
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const [deleted, kept] = [yield* insertSite(organisationId), yield* insertSite(organisationId)]
      const document = yield* insertDocument(kept)
      const twin = yield* insertDocument(yield* insertSite(other, { id: deleted.id }), { id: document.id })
      yield* (yield* siteMethods).delete(organisationId, deleted.id)
      assert.deepEqual(yield* currentDocument(document), document, "the document of another site stays")
      assert.deepEqual(yield* currentDocument(twin), twin, "so does that of the other organisation")
    })
  },
  {
    name: "lists the documents of an organisation's own portfolio where another one has the same ids",
    check: Effect.gen(function* () {
      const { list } = yield* documentMethods
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      yield* insertPortfolio(other, { id: portfolioId })
      const outside = yield* insertSite(organisationId)
      yield* insertSite(other, { id: outside.id, portfolioId })
      yield* insertDocument(outside)
      const document = yield* insertDocument(yield* insertSite(organisationId, { portfolioId }))
      yield* expectPages((page) => list(organisationId, { portfolioId }, page), [document])
      const none = yield* list(other, { portfolioId }, { after: null, limit: 10 })
      assert.deepEqual(none.items, [], "the other organisation has no document")
    })
  }
]
