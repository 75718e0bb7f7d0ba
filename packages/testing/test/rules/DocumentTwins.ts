/**
 * Two organisations that have sites and documents with the same ids.
 */
import { type Document, OmRecordId, type OrganisationId, type Site, storageKey } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import {
  afterDeletions,
  applySteps,
  claimFiles,
  farFuture,
  insertDocument
} from "../../src/conformance/DocumentSetup.ts"
import { documentMethods, siteMethods } from "../../src/conformance/Methods.ts"
import { currentSite, insertOrganisation } from "../../src/conformance/Setup.ts"
import { aDocument, aSite } from "../../src/fixtures.ts"

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
export const forEitherTwin = <E, R>(check: (own: Twin, other: Twin) => Effect.Effect<void, E, R>) =>
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
