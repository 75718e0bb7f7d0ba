/**
 * Setup of the cases about documents.
 */

import {
  type Document,
  DocumentMaintenance,
  type DocumentPurpose,
  type DocumentRepository,
  type DocumentStatus,
  type DocumentStep,
  type OrganisationId,
  type Site,
  type StorageKey
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { aDocument } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertSite, type RecordPorts } from "./Setup.ts"

/** Ports of the cases about documents. */
export type DocumentPorts = DocumentRepository | DocumentMaintenance | RecordPorts

/** Default expiry of addresses: no claim of any case finds these documents. */
export const farFuture = DateTime.makeUnsafe("2400-01-01T00:00:00.000Z")

export const statuses: ReadonlyArray<DocumentStatus> = ["pending", "uploaded", "failed", "approved", "completed"]
export const purposes: ReadonlyArray<DocumentPurpose> = ["coverImage", "report", "om-documents", "documents"]

/** Inserts a site into a new organisation. */
export const siteInOwnOrganisation = Effect.flatMap(insertOrganisation(), (organisationId) =>
  insertSite(organisationId)
)

/** Creates a pending document of the site, not stored. */
export const documentOf = (site: Site, overrides: Partial<Document> = {}): Document =>
  aDocument({ ...overrides, organisationId: site.organisationId, siteId: site.id })

/** Inserts a pending document of the site. */
export const insertDocument = Effect.fnUntraced(function* (
  site: Site,
  overrides?: Partial<Document>,
  addressExpiresAt: DateTime.Utc = farFuture
) {
  const document = documentOf(site, overrides)
  yield* (yield* documentMethods).insertMany(site.organisationId, site.id, [document], addressExpiresAt)
  return document
})

/** The stored document, or null. */
export const currentDocument = Effect.fnUntraced(function* ({ id, organisationId }: Document) {
  return Option.getOrNull(yield* (yield* documentMethods).findById(organisationId, id))
})

/** Applies the steps in sequence and returns the result. */
export const applySteps = Effect.fnUntraced(function* (
  document: Document,
  ...steps: ReadonlyArray<DocumentStep | DocumentStep["to"]>
) {
  const repository = yield* documentMethods
  let now = document
  for (const step of steps) {
    const taken = typeof step === "string" ? { to: step } : step
    now = yield* repository.step(document.organisationId, document.id, taken, { at: changedAt })
  }
  return now
})

/** Steps of a pending document to each status. */
export const stepsTo: { readonly [Status in DocumentStatus]: ReadonlyArray<DocumentStep | DocumentStep["to"]> } = {
  pending: [],
  uploaded: ["uploaded"],
  // Nothing arrived. `insertRefusedDocuments` creates those with a refused file.
  failed: [{ to: "failed", lapsedAt: farFuture }],
  approved: ["uploaded", "approved"],
  completed: ["uploaded", "approved", "completed"]
}

/** Inserts a document of the site and brings it into this status. */
export const insertDocumentIn = (site: Site, status: DocumentStatus, overrides?: Partial<Document>) =>
  Effect.flatMap(insertDocument(site, overrides), (document) => applySteps(document, ...stepsTo[status]))

/** Inserts documents with refused files: one refused on arrival, one rejected by a caller. */
export const insertRefusedDocuments = Effect.fnUntraced(function* (site: Site) {
  const contradicting = yield* applySteps(yield* insertDocument(site), "failed")
  const rejected = yield* applySteps(yield* insertDocument(site), "uploaded", "failed")
  return { contradicting, rejected }
})

/** Reopens the document, under a claim where its file must be deleted first. */
export const claimAndReopen = Effect.fnUntraced(function* ({ id, organisationId, path }: Document, at: DateTime.Utc) {
  const repository = yield* documentMethods
  const claimedUntil = DateTime.add(at, { seconds: 30 })
  yield* repository.claimFile(organisationId, path, { now: at, until: claimedUntil })
  return yield* repository.reopen(organisationId, id, { at, addressExpiresAt: farFuture, claimedUntil })
})

/** An instant after all deletions listed by other cases, by any clock. */
export const afterDeletions = Effect.map(DateTime.now, (now) => DateTime.add(now, { hours: 1 }))

/** Claims all due files of these organisations. */
export const claimFiles = Effect.fnUntraced(function* (
  owners: ReadonlyArray<OrganisationId>,
  now: DateTime.Utc,
  dueAgainAt: DateTime.Utc = DateTime.add(now, { hours: 1 })
) {
  const maintenance = yield* DocumentMaintenance
  const found: Array<StorageKey> = []
  for (const owner of owners) {
    while (true) {
      const keys = yield* maintenance.claimDeleted(owner, { now, dueAgainAt, limit: 500 })
      assert.equal(new Set([...found, ...keys]).size, found.length + keys.length, "nothing is claimed twice")
      found.push(...keys)
      if (keys.length < 500) break
    }
  }
  return found.sort()
})
