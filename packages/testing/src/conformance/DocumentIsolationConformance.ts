/**
 * What a `DocumentRepository` does where two organisations have sites and
 * documents of the same ids.
 */
import {
  type Document,
  type DocumentConditions,
  DocumentNotFound,
  DocumentRepository,
  OmRecordId,
  type OrganisationId,
  type Site,
  SiteRepository,
  storageKey,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { aDocument, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  afterDeletions,
  claimedFiles,
  type DocumentPorts,
  documentNow,
  documentOf,
  farAway,
  stepped,
  storedDocument
} from "./DocumentSetup.ts"
import { pagesThrough, refused } from "./Expectations.ts"
import { evenLater, later, siteNow, storedOrganisation } from "./Setup.ts"

interface Twin {
  readonly organisationId: OrganisationId
  readonly site: Site
  readonly picture: Document
  readonly paper: Document
  /** Has the type and the record of `paper`, and follows it in every list. */
  readonly secondPaper: Document
}

const storedTwin = Effect.fnUntraced(function* (like: Twin | null, filename: string, version: number) {
  const organisationId = yield* storedOrganisation()
  const site = aSite({ organisationId, siteName: filename, version, ...(like && { id: like.site.id }) })
  yield* (yield* SiteRepository).insert(organisationId, site)
  const document = (twin: Document | undefined, overrides: Partial<Document>) => {
    const documentId = twin?.id ?? aDocument().id
    const path = storageKey({ organisationId, siteId: site.id, documentId })
    return storedDocument(site, { ...overrides, id: documentId, path, filename, version })
  }
  const picture: Document = yield* document(like?.picture, { type: "coverImage" })
  const omRecordId = OmRecordId.make("om-1")
  const filed: Partial<Document> = { type: "om-documents", documentType: "ppa", omRecordId }
  const paper: Document = yield* document(like?.paper, filed)
  const secondPaper: Document = yield* document(like?.secondPaper, filed)
  return { organisationId, site, picture, paper, secondPaper }
})

const contentsOf = Effect.fnUntraced(function* ({ organisationId, site }: Twin) {
  const { items } = yield* (yield* DocumentRepository).list(organisationId, {}, { after: null, limit: 100 })
  return { site: yield* siteNow(site), documents: items }
})

/**
 * Runs the check for either of two organisations: its documents are pending, and
 * those of the other one uploaded and failed. The other one keeps what it has.
 */
const forEitherTwin = <E, R>(check: (own: Twin, other: Twin) => Effect.Effect<void, E, R>) =>
  Effect.forEach(
    [true, false],
    Effect.fnUntraced(function* (isFirst) {
      const older: Twin = yield* storedTwin(null, "Older.pdf", 2)
      const newer: Twin = yield* storedTwin(older, "Newer.pdf", 7)
      const [own, other] = isFirst ? [older, newer] : [newer, older]
      yield* stepped(other.picture, "uploaded")
      yield* stepped(other.paper, { to: "failed", lapsedAt: farAway })
      const before = yield* contentsOf(other)
      yield* check(own, other)
      assert.deepEqual(yield* contentsOf(other), before, "the other organisation keeps what it has")
      const files = yield* claimedFiles([other.organisationId], yield* afterDeletions)
      assert.deepEqual(files, [], "no file of the other organisation is listed for deletion")
    }),
    { discard: true }
  )

export const documentIsolationCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "reads an organisation's own documents where another one has the same ids",
    check: forEitherTwin(({ organisationId, paper, picture, secondPaper, site }) =>
      Effect.gen(function* () {
        const { findById, findExisting, insertMany, list } = yield* DocumentRepository
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
          yield* pagesThrough((page) => list(organisationId, conditions, page), [picture, paper, secondPaper])
        }
        for (const conditions of narrow) {
          yield* pagesThrough((page) => list(organisationId, conditions, page), [paper, secondPaper])
        }
        const again = documentOf(site, { id: paper.id, path: paper.path, filename: "Again.pdf" })
        assert.deepEqual(yield* insertMany(organisationId, site.id, [again], farAway), [paper], "a repeated insert")
      })
    )
  },
  {
    name: "leads an organisation's own documents from state to state where another one has the same ids",
    check: forEitherTwin(({ organisationId, paper, picture, site }, other) =>
      Effect.gen(function* () {
        const { reopen, step } = yield* DocumentRepository
        const stale = { at: later, expectedVersions: [other.paper.version + 1] }
        const late = step(organisationId, paper.id, { to: "failed" }, stale)
        const { actual } = yield* refused(late, VersionMismatch, "the version of the other document")
        assert.equal(actual, paper.version, "the refusal tells the version of the organisation's own document")
        const changed = (document: Document, members: Partial<Document>, steps: number) =>
          aDocument({ ...document, ...members, updatedAt: later, version: document.version + steps })
        const failed = yield* step(organisationId, paper.id, { to: "failed", lapsedAt: farAway }, { at: later })
        assert.deepEqual(failed, changed(paper, { status: "failed" }, 1), "a step")
        const pending = yield* reopen(organisationId, paper.id, { at: later, addressExpiresAt: farAway })
        assert.deepEqual(pending, changed(paper, {}, 2), "reopening")
        assert.deepEqual(yield* documentNow(paper), pending, "what is stored")

        const covered = (coverImageUrl: string | null, changes: number) =>
          aSite({ ...site, coverImageUrl, updatedAt: later, version: site.version + changes })
        yield* stepped(picture, "uploaded")
        assert.deepEqual(yield* siteNow(site), covered(picture.path, 1), "the cover of its own site")
        yield* stepped(picture, "failed")
        assert.deepEqual(yield* siteNow(site), covered(null, 2), "no cover of its own site")
      })
    )
  },
  {
    name: "deletes an organisation's own documents where another one has the same ids",
    check: forEitherTwin(({ organisationId, paper, picture, secondPaper, site }, other) =>
      Effect.gen(function* () {
        const [repository, sites] = [yield* DocumentRepository, yield* SiteRepository]
        const stale = { at: later, expectedVersions: [other.paper.version + 1] }
        const late = repository.delete(organisationId, paper.id, stale)
        const { actual } = yield* refused(late, VersionMismatch, "the version of the other document")
        assert.equal(actual, paper.version, "the refusal tells the version of the organisation's own document")
        yield* stepped(picture, "uploaded")
        yield* repository.delete(organisationId, picture.id, { at: evenLater })
        assert.equal((yield* siteNow(site))?.coverImageUrl, null, "the cover goes with its document")
        const second = repository.delete(organisationId, picture.id, { at: later })
        yield* refused(second, DocumentNotFound, "a second delete")
        yield* sites.delete(organisationId, site.id)
        assert.equal(yield* documentNow(paper), null, "a document goes with its site")
        const files = yield* claimedFiles([organisationId], yield* afterDeletions)
        assert.deepEqual(files, [picture, paper, secondPaper].map(({ path }) => path).sort(), "its own files")
      })
    )
  }
]
