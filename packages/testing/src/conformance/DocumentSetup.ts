/**
 * What the cases about records of documents have in common.
 */
import {
  type Document,
  DocumentMaintenance,
  type DocumentPurpose,
  DocumentRepository,
  type DocumentStatus,
  type DocumentStep,
  type OrganisationId,
  type Site,
  type StorageKey
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { aDocument } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { changedAt, insertOrganisation, insertSite, type RecordPorts } from "./Setup.ts"

/** The ports that a case about documents needs. */
export type DocumentPorts = DocumentRepository | DocumentMaintenance | RecordPorts

/** When addresses lapse unless a case says otherwise: so late that no claim of any case finds their documents. */
export const farFuture = DateTime.makeUnsafe("2400-01-01T00:00:00.000Z")

export const statuses: ReadonlyArray<DocumentStatus> = ["pending", "uploaded", "failed", "approved", "completed"]
export const purposes: ReadonlyArray<DocumentPurpose> = ["coverImage", "report", "om-documents", "documents"]

/** Stores a site in an organisation of the case's own. */
export const siteInOwnOrganisation = Effect.flatMap(insertOrganisation(), (organisationId) =>
  insertSite(organisationId)
)

/** Makes a pending document of the site. */
export const documentOf = (site: Site, overrides: Partial<Document> = {}): Document =>
  aDocument({ ...overrides, organisationId: site.organisationId, siteId: site.id })

/** Stores a pending document of the site. */
export const insertDocument = Effect.fnUntraced(function* (
  site: Site,
  overrides?: Partial<Document>,
  addressExpiresAt: DateTime.Utc = farFuture
) {
  const document = documentOf(site, overrides)
  yield* (yield* DocumentRepository).insertMany(site.organisationId, site.id, [document], addressExpiresAt)
  return document
})

/** The document as it is now. */
export const currentDocument = Effect.fnUntraced(function* ({ id, organisationId }: Document) {
  return Option.getOrNull(yield* (yield* DocumentRepository).findById(organisationId, id))
})

/** Lets the document take these steps one after the other. */
export const applySteps = Effect.fnUntraced(function* (
  document: Document,
  ...steps: ReadonlyArray<DocumentStep | DocumentStep["to"]>
) {
  const repository = yield* DocumentRepository
  let now = document
  for (const step of steps) {
    const taken = typeof step === "string" ? { to: step } : step
    now = yield* repository.step(document.organisationId, document.id, taken, { at: changedAt })
  }
  return now
})

const stepsTo: { readonly [Status in DocumentStatus]: ReadonlyArray<DocumentStep | DocumentStep["to"]> } = {
  pending: [],
  uploaded: ["uploaded"],
  // Nothing arrived; `refusedDocuments` are those whose file was refused.
  failed: [{ to: "failed", lapsedAt: farFuture }],
  approved: ["uploaded", "approved"],
  completed: ["uploaded", "approved", "completed"]
}

/** Stores a document of the site and brings it into this state. */
export const insertDocumentIn = (site: Site, status: DocumentStatus, overrides?: Partial<Document>) =>
  Effect.flatMap(insertDocument(site, overrides), (document) => applySteps(document, ...stepsTo[status]))

/** Stores documents whose file was refused: because of what had arrived, and by a caller. */
export const insertRefusedDocuments = Effect.fnUntraced(function* (site: Site) {
  const contradicting = yield* applySteps(yield* insertDocument(site), "failed")
  const rejected = yield* applySteps(yield* insertDocument(site), "uploaded", "failed")
  return { contradicting, rejected }
})

/** Makes the document pending again, under a claim where its file has to be deleted first. */
export const claimAndReopen = Effect.fnUntraced(function* ({ id, organisationId, path }: Document, at: DateTime.Utc) {
  const repository = yield* DocumentRepository
  const claimedUntil = DateTime.add(at, { seconds: 30 })
  yield* repository.claimFile(organisationId, path, { now: at, until: claimedUntil })
  return yield* repository.reopen(organisationId, id, { at, addressExpiresAt: farFuture, claimedUntil })
})

/** After everything that others may have listed for deletion, by whichever clock. */
export const afterDeletions = Effect.map(DateTime.now, (now) => DateTime.add(now, { hours: 1 }))

/** Claims all files of these organisations that are due. */
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
