/**
 * `DocumentRepository` and `DocumentMaintenance` in memory.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  type Document,
  type DocumentConditions,
  type DocumentId,
  type DocumentMaintenance,
  DocumentNotFound,
  DocumentRepository,
  type DocumentStep,
  documentSortKeys,
  eventOrigins,
  type FileClaims,
  FileNotDeleted,
  InvalidTransition,
  isExpected,
  MaximumPageBytes,
  maximumPendingDocuments,
  type OrganisationId,
  type SiteId,
  SiteNotFound,
  type StorageKey,
  TooManyPending,
  transitions,
  VersionMismatch
} from "@solar-sites/core"
import { DateTime, Effect, Equal, Layer, Option } from "effect"
import {
  deleteDocument,
  listForDeletion,
  MemoryDatabase,
  type MemoryOrganisation,
  type Owned,
  ownedBy
} from "./MemoryDatabase.ts"
import { changed, frozen, isCurrent, isTooLate, joinChain, leaveChain, revisionsOf } from "./MemoryDocumentChain.ts"
import { recordInsertion, recordStep, recordsOf } from "./MemoryDocumentEvents.ts"
import * as MemoryDocumentMaintenance from "./MemoryDocumentMaintenance.ts"
import { hasRoom, isClaimed, makeReopening } from "./MemoryDocumentReopening.ts"
import { documentEvent, recordEvents } from "./MemoryEventLog.ts"
import { isAfter, isFound, sortedPageOf } from "./MemoryFinding.ts"
import { changedSite } from "./MemorySite.ts"

type Service = DocumentRepository["Service"]

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

const meets = ({ sites }: Owned, conditions: DocumentConditions) => {
  const { current, documentType, omRecordId, portfolioId, q, siteId, status, type, updatedAfter, ...others } =
    conditions
  const { validUntilBefore, ...rest } = others
  allConditionsRead(rest)
  return (document: Document): boolean =>
    (current === undefined || isCurrent(document) === current) &&
    (siteId === undefined || document.siteId === siteId) &&
    (type === undefined || document.type === type) &&
    (documentType === undefined || document.documentType === documentType) &&
    (status === undefined || document.status === status) &&
    (omRecordId === undefined || document.omRecordId === omRecordId) &&
    (portfolioId === undefined || sites.get(document.siteId)?.portfolioId === portfolioId) &&
    (validUntilBefore === undefined || (document.validUntil !== null && document.validUntil < validUntilBefore)) &&
    isAfter(document.updatedAt, updatedAfter) &&
    isFound(q, document.filename, document.note)
}

const membersOf = ({ failureReason, sizeBytes, to }: DocumentStep): Partial<Document> => {
  if (to === "uploaded") return { status: to, failureReason: null, ...(sizeBytes === undefined ? {} : { sizeBytes }) }
  return to === "failed" ? { status: to, failureReason: failureReason ?? null } : { status: to }
}

const repository: Layer.Layer<DocumentRepository, never, MemoryDatabase> = Layer.effect(
  DocumentRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins

    const insertMany: Service["insertMany"] = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      siteId: SiteId,
      inserted: ReadonlyArray<Document>,
      addressExpiresAt: DateTime.Utc,
      claims?: FileClaims
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const { deletedFiles, documents, sites } = owned
      if (!sites.has(siteId)) return yield* new SiteNotFound({ siteIds: [siteId] })
      const added = inserted.filter(({ id }) => !documents.has(id))
      if (!hasRoom(documents, added.length)) return yield* new TooManyPending({ maximum: maximumPendingDocuments })
      const listed = added.filter(({ path }) => deletedFiles.has(path))
      const claimedUntil = (path: StorageKey) => (claims?.keys.includes(path) ? claims.until : undefined)
      if (!listed.every(({ path }) => isClaimed(deletedFiles.get(path), claimedUntil(path))))
        return yield* new FileNotDeleted()
      const expiresAt = new Map(listed.map(({ path }) => [path, deletedFiles.get(path)?.addressExpiresAt]))
      for (const { path } of listed) deletedFiles.delete(path)
      const insertedIds = new Set(inserted.map(({ id }) => id))
      const isEarlier = (id: DocumentId) => documents.has(id) && !insertedIds.has(id)
      const result = inserted.map((document) => {
        const replaces = document.replaces !== null && isEarlier(document.replaces) ? document.replaces : null
        // Addresses of a deleted document with the same path may expire later.
        const last = DateTime.max(addressExpiresAt, expiresAt.get(document.path) ?? addressExpiresAt)
        const stored = documents.get(document.id) ?? {
          document: frozen({ ...document, organisationId, siteId, replaces }),
          declaredBytes: document.sizeBytes,
          addressExpiresAt: last,
          dueAt: last,
          refused: false
        }
        documents.set(document.id, stored)
        return stored.document
      })
      const addedIds = new Set(added.map(({ id }) => id))
      recordInsertion(
        owned,
        origin,
        result.filter(({ id }) => addedIds.has(id))
      )
      return result
    })

    const step: Service["step"] = Effect.fnUntraced(function* (organisationId, documentId, change, options) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const before = recordsOf(owned)
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
      const isRejected = from === "uploaded" && change.to === "failed"
      const taken = change.to === "uploaded" && isTooLate(owned.documents, stored.document)
      const members: Partial<Document> = taken
        ? { status: "failed", failureReason: "already_replaced" }
        : { ...membersOf(change), ...change.changes, ...(isRejected ? { replacedBy: null } : {}) }
      const document = changed(stored.document, members, options.at)
      // A corrected file has another size than the rejected one.
      const declaredBytes = isRejected ? null : stored.declaredBytes
      const refused = document.status === "failed" && !nothingArrived
      if (isRejected) leaveChain(owned.documents, stored.document, options.at)
      owned.documents.set(documentId, { ...stored, document, declaredBytes, refused })
      if (document.status === "uploaded") joinChain(owned.documents, document, options.at)
      // The file of a rejected document stays until a new address is issued or the document is
      // deleted.
      if (refused && from !== "uploaded") listForDeletion(owned, stored)
      if (type === "coverImage" && document.status === "uploaded") setCover(owned, siteId, path, options.at)
      if (document.status === "failed") unsetCover(owned, siteId, path, options.at)
      recordStep(owned, origin, before, documentId)
      return document
    })

    const update: Service["update"] = Effect.fnUntraced(function* (organisationId, documentId, changes, options) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const { documents } = owned
      const stored = documents.get(documentId)
      if (stored === undefined) return yield* new DocumentNotFound({ documentId })
      const { version } = stored.document
      if (!isExpected(options.expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      if (Equal.equals({ ...stored.document, ...changes }, { ...stored.document })) return stored.document
      const document = changed(stored.document, changes, options.at)
      documents.set(documentId, { ...stored, document })
      recordEvents(owned, origin, [documentEvent("document.updated", stored.document, document)])
      return document
    })

    const remove: Service["delete"] = Effect.fnUntraced(function* (
      organisationId,
      documentId: DocumentId,
      { at, expectedVersions }
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const before = recordsOf(owned)
      const stored = owned.documents.get(documentId)
      if (stored === undefined) return yield* new DocumentNotFound({ documentId })
      const { path, siteId, version } = stored.document
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      leaveChain(owned.documents, stored.document, at)
      deleteDocument(owned, stored)
      unsetCover(owned, siteId, path, at)
      recordStep(owned, origin, before, documentId)
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
        Effect.map(MaximumPageBytes, (bytes) => {
          const owned = ownedBy(database, organisationId)
          const documents = [...owned.documents.values()].map(({ document }) => document)
          return sortedPageOf(documents.filter(meets(owned, conditions)), page, documentSortKeys, bytes)
        }),
      listRevisions: (organisationId, documentId, page) =>
        Effect.sync(() => revisionsOf(ownedBy(database, organisationId).documents, documentId, page)),
      update,
      step,
      ...makeReopening(database, originOf),
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
