/**
 * Isolation in a `DocumentRepository`: two organisations have sites and documents with the same
 * ids.
 */

import {
  type Document,
  type DocumentConditions,
  OmRecordId,
  type OrganisationId,
  type Site,
  storageKey
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { aDocument, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  currentDocument,
  type DocumentPorts,
  documentOf,
  farFuture,
  insertDocument
} from "./DocumentSetup.ts"
import { expectPages } from "./Expectations.ts"
import { documentMethods, siteMethods } from "./Methods.ts"
import { currentSite, insertOrganisation, insertPortfolio, insertSite } from "./Setup.ts"

interface Twin {
  readonly organisationId: OrganisationId
  readonly site: Site
  readonly picture: Document
  readonly paper: Document
  /** Same type and O&M record as `paper`, but later in every list. */
  readonly secondPaper: Document
}

const storedTwin = Effect.fnUntraced(function* (like: Twin | null, filename: string, version: number) {
  const organisationId = yield* insertOrganisation()
  const site = aSite({ organisationId, siteName: filename, version, ...(like && { id: like.site.id }) })
  yield* (yield* siteMethods).insert(organisationId, site)
  const document = (twin: Document | undefined, overrides: Partial<Document>) => {
    const documentId = twin?.id ?? aDocument().id
    const path = storageKey({ organisationId, siteId: site.id, documentId })
    return insertDocument(site, { ...overrides, id: documentId, path, filename, version })
  }
  const picture: Document = yield* document(like?.picture, { type: "coverImage" })
  const omRecordId = OmRecordId.make("om-1")
  const filed: Partial<Document> = { type: "om-documents", documentType: "ppa", omRecordId }
  const paper: Document = yield* document(like?.paper, filed)
  const secondPaper: Document = yield* document(like?.secondPaper, filed)
  return { organisationId, site, picture, paper, secondPaper }
})

const contentsOf = Effect.fnUntraced(function* ({ organisationId, site }: Twin) {
  const { items } = yield* (yield* documentMethods).list(organisationId, {}, { after: null, limit: 100 })
  return { site: yield* currentSite(site), documents: items }
})

/**
 * Runs the check for each of two organisations. Its documents are pending; those of the other one
 * are uploaded and failed. The other organisation must stay unchanged.
 */
const forEitherTwin = <E, R>(check: (own: Twin, other: Twin) => Effect.Effect<void, E, R>) =>
  Effect.forEach(
    [true, false],
    Effect.fnUntraced(function* (isFirst) {
      const older: Twin = yield* storedTwin(null, "Older.pdf", 2)
      const newer: Twin = yield* storedTwin(older, "Newer.pdf", 7)
      const [own, other] = isFirst ? [older, newer] : [newer, older]
      yield* applySteps(other.picture, "uploaded")
      yield* applySteps(other.paper, { to: "failed", lapsedAt: farFuture })
      const before = yield* contentsOf(other)
      yield* check(own, other)
      assert.deepEqual(yield* contentsOf(other), before, "the other organisation keeps what it has")
      const files = yield* claimFiles([other.organisationId], yield* afterDeletions)
      assert.deepEqual(files, [], "no file of the other organisation is listed for deletion")
    }),
    { discard: true }
  )

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
