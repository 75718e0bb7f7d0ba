/**
 * `DocumentRepository` and `DocumentMaintenance` in memory.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  Document,
  type DocumentConditions,
  type DocumentId,
  type DocumentMaintenance,
  DocumentNotFound,
  DocumentRepository,
  type DocumentStep,
  FileNotDeleted,
  InvalidTransition,
  isExpected,
  maximumPendingDocuments,
  type OrganisationId,
  type SiteId,
  SiteNotFound,
  TooManyPending,
  transitions,
  VersionMismatch
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import {
  deleteDocument,
  listForDeletion,
  MemoryDatabase,
  type MemoryOrganisation,
  ownedBy,
  pageOf
} from "./MemoryDatabase.ts"
import * as MemoryDocumentMaintenance from "./MemoryDocumentMaintenance.ts"
import { changedSite } from "./MemorySite.ts"

type Service = DocumentRepository["Service"]

const frozen = (document: Pick<Document, keyof Document>): Document =>
  Object.freeze(new Document(document, { disableChecks: true }))

const setCover = (
  { sites }: Pick<MemoryOrganisation, "sites">,
  siteId: SiteId,
  coverImageUrl: string | null,
  at: DateTime.Utc
): void => {
  const site = sites.get(siteId)
  if (site !== undefined) sites.set(siteId, changedSite(site, { coverImageUrl }, at))
}

const unsetCover = (owned: Pick<MemoryOrganisation, "sites">, siteId: SiteId, path: string, at: DateTime.Utc): void => {
  if (owned.sites.get(siteId)?.coverImageUrl === path) setCover(owned, siteId, null, at)
}

const meets = ({ documentType, omRecordId, siteId, status, type, ...rest }: DocumentConditions) => {
  allConditionsRead(rest)
  return (document: Document): boolean =>
    (siteId === undefined || document.siteId === siteId) &&
    (type === undefined || document.type === type) &&
    (documentType === undefined || document.documentType === documentType) &&
    (status === undefined || document.status === status) &&
    (omRecordId === undefined || document.omRecordId === omRecordId)
}

const membersOf = ({ failureReason, sizeBytes, to }: DocumentStep): Partial<Document> => {
  if (to === "uploaded") return { status: to, failureReason: null, ...(sizeBytes === undefined ? {} : { sizeBytes }) }
  return to === "failed" ? { status: to, failureReason: failureReason ?? null } : { status: to }
}

const hasRoom = (documents: MemoryOrganisation["documents"], added: number): boolean => {
  const pending = [...documents.values()].filter(({ document }) => document.status === "pending").length
  return added === 0 || pending + added <= maximumPendingDocuments
}

const isClaimed = (
  file: { readonly claimedUntil: DateTime.Utc | null } | undefined,
  claimedUntil: DateTime.Utc | undefined
): boolean =>
  file !== undefined &&
  file.claimedUntil !== null &&
  claimedUntil !== undefined &&
  DateTime.Equivalence(file.claimedUntil, claimedUntil)

const repository: Layer.Layer<DocumentRepository, never, MemoryDatabase> = Layer.effect(
  DocumentRepository,
  Effect.map(MemoryDatabase, (database) => {
    const insertMany: Service["insertMany"] = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      siteId: SiteId,
      inserted: ReadonlyArray<Document>,
      addressExpiresAt: DateTime.Utc,
      claimedUntil?: DateTime.Utc
    ) {
      const { deletedFiles, documents, sites } = ownedBy(database, organisationId)
      if (!sites.has(siteId)) return yield* new SiteNotFound({ siteIds: [siteId] })
      const added = inserted.filter(({ id }) => !documents.has(id)).length
      if (!hasRoom(documents, added)) return yield* new TooManyPending({ maximum: maximumPendingDocuments })
      const listed = inserted.filter(({ id, path }) => !documents.has(id) && deletedFiles.has(path))
      if (!listed.every(({ path }) => isClaimed(deletedFiles.get(path), claimedUntil)))
        return yield* new FileNotDeleted()
      for (const { path } of listed) deletedFiles.delete(path)
      return inserted.map((document) => {
        const stored = documents.get(document.id) ?? {
          document: frozen({ ...document, organisationId, siteId }),
          declaredBytes: document.sizeBytes,
          addressExpiresAt,
          dueAt: addressExpiresAt,
          refused: false
        }
        documents.set(document.id, stored)
        return stored.document
      })
    })

    const step: Service["step"] = Effect.fnUntraced(function* (organisationId, documentId, change, options) {
      const owned = ownedBy(database, organisationId)
      const stored = owned.documents.get(documentId)
      if (stored === undefined) return yield* new DocumentNotFound({ documentId })
      const { path, siteId, status: from, type, version } = stored.document
      const madeAgain =
        change.createdAt !== undefined && !DateTime.Equivalence(change.createdAt, stored.document.createdAt)
      const issuedAnew =
        change.lapsedAt !== undefined && !DateTime.Equivalence(change.lapsedAt, stored.addressExpiresAt)
      if (madeAgain || issuedAnew || !isExpected(options.expectedVersions, version)) {
        return yield* new VersionMismatch({ actual: version })
      }
      const allowed = transitions[from]
      const nothingArrived = change.to === "failed" && change.lapsedAt !== undefined
      const isLate = from === "failed" && !stored.refused && !nothingArrived
      const reachable = isLate ? transitions.pending : allowed
      if (!reachable.includes(change.to)) return yield* new InvalidTransition({ from, to: change.to, allowed })
      const document = frozen({
        ...stored.document,
        ...membersOf(change),
        updatedAt: options.at,
        version: version + 1
      })
      // A corrected file has another size than the rejected one.
      const declaredBytes = from === "uploaded" && change.to === "failed" ? null : stored.declaredBytes
      const refused = change.to === "failed" && !nothingArrived
      owned.documents.set(documentId, { ...stored, document, declaredBytes, refused })
      // The file of a rejected document stays until a new address is issued or the document is
      // deleted.
      if (refused && from !== "uploaded") listForDeletion(owned, stored)
      if (type === "coverImage" && change.to === "uploaded") setCover(owned, siteId, path, options.at)
      if (change.to === "failed") unsetCover(owned, siteId, path, options.at)
      return document
    })

    const reopen: Service["reopen"] = Effect.fnUntraced(function* (
      organisationId,
      documentId: DocumentId,
      { addressExpiresAt, at, claimedUntil }
    ) {
      const { deletedFiles, documents } = ownedBy(database, organisationId)
      const stored = documents.get(documentId)
      if (stored === undefined) return yield* new DocumentNotFound({ documentId })
      const { status: from, version } = stored.document
      const allowed = transitions[from]
      if (from !== "pending" && !allowed.includes("pending")) {
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
      const reopened = frozen({
        ...stored.document,
        status: "pending",
        sizeBytes: stored.declaredBytes,
        failureReason: null,
        updatedAt: at,
        version: version + 1
      })
      // The address is not part of the document: a pending document stays unchanged.
      const document = from === "pending" ? stored.document : reopened
      documents.set(documentId, { ...stored, document, addressExpiresAt, dueAt: addressExpiresAt, refused: false })
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

    const remove: Service["delete"] = Effect.fnUntraced(function* (
      organisationId,
      documentId: DocumentId,
      { at, expectedVersions }
    ) {
      const owned = ownedBy(database, organisationId)
      const stored = owned.documents.get(documentId)
      if (stored === undefined) return yield* new DocumentNotFound({ documentId })
      const { path, siteId, version } = stored.document
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      deleteDocument(owned, stored)
      unsetCover(owned, siteId, path, at)
    })

    return DocumentRepository.of({
      insertMany,
      findById: (organisationId, documentId) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(ownedBy(database, organisationId).documents.get(documentId)?.document)
        ),
      findExisting: (organisationId, documentIds) =>
        Effect.sync(() => {
          const { documents } = ownedBy(database, organisationId)
          return new Set(documentIds.filter((id) => documents.has(id)))
        }),
      list: (organisationId, conditions, page) =>
        Effect.sync(() => {
          const documents = [...ownedBy(database, organisationId).documents.values()].map(({ document }) => document)
          return pageOf(documents.filter(meets(conditions)), page)
        }),
      step,
      reopen,
      claimFile,
      delete: remove
    })
  })
)

/**
 * Both ports on the memory of the other repositories.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<DocumentRepository | DocumentMaintenance, never, MemoryDatabase> = Layer.merge(
  repository,
  MemoryDocumentMaintenance.layer
)
