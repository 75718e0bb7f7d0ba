/**
 * New upload addresses of documents in memory, and claims of files that are deleted before.
 */
import {
  type DocumentId,
  DocumentNotFound,
  type DocumentRepository,
  type EventOrigin,
  FileNotDeleted,
  InvalidTransition,
  maximumPendingDocuments,
  type OrganisationId,
  TooManyPending,
  transitions
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { type MemoryDatabase, type MemoryOrganisation, ownedBy } from "./MemoryDatabase.ts"
import { changed } from "./MemoryDocumentChain.ts"
import { documentEvent, recordEvents } from "./MemoryEventLog.ts"

type Service = DocumentRepository["Service"]

export const hasRoom = (documents: MemoryOrganisation["documents"], added: number): boolean => {
  const pending = [...documents.values()].filter(({ document }) => document.status === "pending").length
  return added === 0 || pending + added <= maximumPendingDocuments
}

export const isClaimed = (
  file: { readonly claimedUntil: DateTime.Utc | null } | undefined,
  claimedUntil: DateTime.Utc | undefined
): boolean =>
  file !== undefined &&
  file.claimedUntil !== null &&
  claimedUntil !== undefined &&
  DateTime.Equivalence(file.claimedUntil, claimedUntil)

export const makeReopening = (
  database: MemoryDatabase["Service"],
  originOf: (organisationId: OrganisationId) => Effect.Effect<EventOrigin>
): Pick<Service, "reopen" | "claimFile"> => {
  const reopen: Service["reopen"] = Effect.fnUntraced(function* (
    organisationId,
    documentId: DocumentId,
    { addressExpiresAt, at, claimedUntil, isRepetition = false }
  ) {
    const origin = yield* originOf(organisationId)
    const owned = ownedBy(database, organisationId)
    const { deletedFiles, documents } = owned
    const stored = documents.get(documentId)
    if (stored === undefined) return yield* new DocumentNotFound({ documentId })
    const { status: from } = stored.document
    const allowed = transitions[from]
    if (from !== "pending" && (isRepetition || !allowed.includes("pending"))) {
      return yield* new InvalidTransition({ from, to: "pending", allowed })
    }
    if (from !== "pending" && !hasRoom(documents, 1)) {
      return yield* new TooManyPending({ maximum: maximumPendingDocuments })
    }
    if (stored.refused) {
      const { path } = stored.document
      if (!isClaimed(deletedFiles.get(path), claimedUntil)) return yield* new FileNotDeleted()
      deletedFiles.delete(path)
    }
    const members = { status: "pending", sizeBytes: stored.declaredBytes, failureReason: null } as const
    const reopened = changed(stored.document, members, at)
    // The address is not part of the document: a pending document stays unchanged.
    const document = from === "pending" ? stored.document : reopened
    const lastExpiry = DateTime.max(stored.addressExpiresAt, addressExpiresAt)
    documents.set(documentId, {
      ...stored,
      document,
      addressExpiresAt: lastExpiry,
      dueAt: lastExpiry,
      refused: false
    })
    if (!isRepetition) recordEvents(owned, origin, [documentEvent("document.reissued", stored.document, document)])
    return document
  })

  const claimFile: Service["claimFile"] = Effect.fnUntraced(function* (organisationId, key, { now, until }) {
    const { deletedFiles, documents } = ownedBy(database, organisationId)
    const file = deletedFiles.get(key)
    const refused = [...documents.values()].find(({ document, refused }) => refused && document.path === key)
    if (file?.claimedUntil && DateTime.isGreaterThan(file.claimedUntil, now)) return yield* new FileNotDeleted()
    const addressExpiresAt = (file ?? refused)?.addressExpiresAt
    if (addressExpiresAt === undefined) return false
    deletedFiles.set(key, { addressExpiresAt, dueAt: until, claimedUntil: until })
    return true
  })

  return { reopen, claimFile }
}
