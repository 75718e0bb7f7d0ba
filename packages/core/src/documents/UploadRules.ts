/**
 * Rules of upload addresses as pure functions: new pending documents, and new addresses of stored ones.
 */
import { DateTime, Result } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Decision } from "../records/Deciding.ts"
import { type Found, foundOf } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { type Find, Revision, type Stored, type Write } from "../records/RecordKind.ts"
import type { SiteId } from "../sites/Site.ts"
import { SiteNotFound } from "../sites/SiteErrors.ts"
import { type Document, type DocumentId, maximumPendingDocuments } from "./Document.ts"
import type { FileClaims } from "./DocumentCommands.ts"
import { DocumentNotFound, FileNotDeleted, InvalidTransition, TooManyPending } from "./DocumentErrors.ts"
import {
  DocumentRecord,
  documentEvent,
  documentKind,
  documentOf,
  type FileRecord,
  fileKind,
  siteReference,
  unannounced,
  withMembers
} from "./DocumentKind.ts"
import { transitions } from "./DocumentStatus.ts"

const tooMany = () => new TooManyPending({ maximum: maximumPendingDocuments })

/** New pending documents of one site. */
export interface UploadIssue {
  readonly organisationId: OrganisationId
  readonly siteId: SiteId
  readonly documents: ReadonlyArray<Document>
  readonly addressExpiresAt: DateTime.Utc
  readonly claims?: FileClaims | undefined
  readonly at: DateTime.Utc
}

const predecessorsOf = ({ documents }: UploadIssue): ReadonlyArray<DocumentId> => {
  const own = new Set(documents.map(({ id }) => id))
  return [...new Set(documents.flatMap(({ replaces }) => (replaces === null || own.has(replaces) ? [] : [replaces])))]
}

/** The records that `issueUploads` reads. */
export const findsOfIssue = (issue: UploadIssue): ReadonlyArray<Find> => {
  const ids = issue.documents.map(({ id }) => id)
  return [
    { kind: siteReference, by: "id", values: [issue.siteId] },
    { kind: documentKind, by: "id", values: [...ids, ...predecessorsOf(issue)] },
    { kind: fileKind, by: "id", values: ids }
  ]
}

/** The records as if nothing stood against new documents; null when the rule has to look. */
export const assumedForIssue = (issue: UploadIssue): Found | null => {
  const { claims, documents, siteId } = issue
  if (documents.length === 0 || claims !== undefined || predecessorsOf(issue).length > 0) return null
  const find = { kind: siteReference, by: "id", values: [] }
  return foundOf([{ find, stored: [{ record: { id: siteId }, revision: Revision("assumed") }] }])
}

/** True when the file is listed for deletion under one of the claims. */
const isClaimed = ({ claimedUntil }: FileRecord, { path }: Document, claims: FileClaims | undefined): boolean =>
  claims?.keys.includes(path) === true && claimedUntil !== null && DateTime.Equivalence(claimedUntil, claims.until)

/** `predecessors` are the stored documents that new ones can replace. */
const newRecord = (
  document: Document,
  { addressExpiresAt, organisationId, siteId }: UploadIssue,
  predecessors: ReadonlySet<string | null>,
  file: FileRecord | undefined
) => {
  // Addresses of a deleted document with the same path may expire later.
  const last = DateTime.max(addressExpiresAt, file?.addressExpiresAt ?? addressExpiresAt)
  return makeUnchecked(DocumentRecord, {
    ...document,
    organisationId,
    siteId,
    replaces: predecessors.has(document.replaces) ? document.replaces : null,
    declaredBytes: document.sizeBytes,
    addressExpiresAt: last,
    lookAt: last,
    refused: false,
    replacementRequests: 0,
    ...unannounced
  })
}

/** Counts the new documents that name each predecessor, so that its deletion notices them. */
const requestedPredecessors = (found: Found, added: ReadonlyArray<DocumentRecord>): ReadonlyArray<Write> =>
  [...new Set(added.map(({ replaces }) => replaces))].flatMap((id) => {
    const before = found.byId(documentKind, id)
    if (before === null) return []
    const after = withMembers(before.record, { replacementRequests: before.record.replacementRequests + 1 })
    return [{ kind: documentKind, id: after.id, before, after }]
  })

/** Stores new pending documents. A document that is stored under its id stays as it is. */
export const issueUploads =
  (issue: UploadIssue, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<ReadonlyArray<Document>>, SiteNotFound | FileNotDeleted | TooManyPending> => {
    const { at, claims, documents, siteId } = issue
    if (found.byId(siteReference, siteId) === null) return Result.fail(new SiteNotFound({ siteIds: [siteId] }))
    const fileOf = ({ id }: Document) => found.byId(fileKind, id)
    const isNew = ({ id }: Document) => found.byId(documentKind, id) === null
    const unclaimed = documents.find((document) => {
      const file = fileOf(document)
      return isNew(document) && file !== null && !isClaimed(file.record, document, claims)
    })
    if (unclaimed !== undefined) return Result.fail(new FileNotDeleted())
    const predecessors = new Set(predecessorsOf(issue).filter((id) => found.byId(documentKind, id) !== null))
    const added = documents
      .filter(isNew)
      .map((document) => newRecord(document, issue, predecessors, fileOf(document)?.record))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const stored = new Map(added.map((record) => [record.id, record]))
    const answer = documents.flatMap(({ id }) => {
      const record = stored.get(id) ?? found.byId(documentKind, id)?.record
      return record === undefined ? [] : [documentOf(record)]
    })
    if (added.length === 0) return Result.succeed({ answer, change: null })
    if (found.isFull("pendingDocuments")) return Result.fail(tooMany())
    const listed = added.flatMap((record) => found.byId(fileKind, record.id) ?? [])
    const listedIds = new Set(listed.map(({ record }) => record.id))
    return Result.succeed({
      answer,
      change: {
        writes: [
          ...added.map((after) => ({ kind: documentKind, id: after.id, before: null, after })),
          ...requestedPredecessors(found, added),
          ...listed.map((before) => ({ kind: fileKind, id: before.record.id, before, after: null }))
        ],
        absent: added.flatMap(({ id }) => (listedIds.has(id) ? [] : [{ kind: fileKind, id }])),
        events: added.map((record) => documentEvent("document.requested", null, record)),
        origin,
        at
      }
    })
  }

/** A new address of a stored document. */
export interface Reopening {
  readonly documentId: DocumentId
  readonly at: DateTime.Utc
  readonly addressExpiresAt: DateTime.Utc
  readonly claimedUntil?: DateTime.Utc | undefined
  readonly isRepetition?: boolean
}

/** The records that `reopenDocument` reads. */
export const findsOfReopening = ({ documentId }: Reopening): ReadonlyArray<Find> => [
  { kind: documentKind, by: "id", values: [documentId] },
  { kind: fileKind, by: "id", values: [documentId] }
]

const reopened = (record: DocumentRecord, { addressExpiresAt, at }: Reopening): DocumentRecord => {
  const last = DateTime.max(record.addressExpiresAt, addressExpiresAt)
  const address = { addressExpiresAt: last, lookAt: last }
  // The address is no part of the document: a pending document stays as it is.
  if (record.status === "pending") return withMembers(record, address)
  return withMembers(record, {
    ...address,
    status: "pending",
    sizeBytes: record.declaredBytes,
    failureReason: null,
    refused: false,
    updatedAt: at,
    version: record.version + 1
  })
}

/** The refusal of a document that cannot be reopened. One with a refused file keeps its file then. */
const refusalOf = (
  found: Found,
  { record: { refused, status: from } }: Stored<DocumentRecord>,
  isDeleted: boolean,
  isRepetition: boolean
) => {
  const isReopened = from === "failed"
  if (from !== "pending" && (isRepetition || !isReopened)) {
    return new InvalidTransition({ from, to: "pending", allowed: transitions[from] })
  }
  if (isReopened && found.isFull("pendingDocuments")) return tooMany()
  return refused && !isDeleted ? new FileNotDeleted() : undefined
}

/** Makes a failed document pending again, or prolongs the time of a pending one. */
export const reopenDocument =
  (command: Reopening, origin: EventOrigin) =>
  (
    found: Found
  ): Result.Result<Decision<Document>, DocumentNotFound | InvalidTransition | TooManyPending | FileNotDeleted> => {
    const { at, claimedUntil, documentId, isRepetition = false } = command
    const before = found.byId(documentKind, documentId)
    if (before === null) return Result.fail(new DocumentNotFound({ documentId }))
    const file = found.byId(fileKind, documentId)
    const claimed = file?.record.claimedUntil ?? null
    const isDeleted = claimed !== null && claimedUntil !== undefined && DateTime.Equivalence(claimed, claimedUntil)
    const refusal = refusalOf(found, before, isDeleted, isRepetition)
    if (refusal !== undefined) return Result.fail(refusal)
    const after = reopened(before.record, command)
    const write: Write = { kind: documentKind, id: documentId, before, after }
    const unlisted = before.record.refused && file !== null ? [file] : []
    return Result.succeed({
      answer: documentOf(after),
      change: {
        writes: [write, ...unlisted.map((one) => ({ kind: fileKind, id: documentId, before: one, after: null }))],
        events: isRepetition ? [] : [documentEvent("document.reissued", before.record, after)],
        origin,
        at
      }
    })
  }
