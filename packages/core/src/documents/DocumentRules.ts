/**
 * Rules of stored documents as pure functions: metadata, status and deletion.
 */
import { DateTime, Equal, Result } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { DecidedChange, Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import type { Find, NewEvent, Stored, Write } from "../records/RecordKind.ts"
import type { SiteId } from "../sites/Site.ts"
import { siteEvent, siteKind } from "../sites/SiteKind.ts"
import { changedSite } from "../sites/SiteRules.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import type { Document, DocumentId } from "./Document.ts"
import {
  findPredecessor,
  findSuccessors,
  isTooLate,
  joinChain,
  leaveChain,
  type Relinked,
  relinkedEvents,
  relinkedWrites
} from "./DocumentChain.ts"
import type { DocumentStep } from "./DocumentCommands.ts"
import { DocumentNotFound, InvalidTransition } from "./DocumentErrors.ts"
import { type DocumentRecord, documentEvent, documentKind, documentOf, fileKind, withMembers } from "./DocumentKind.ts"
import type { DocumentChanges } from "./DocumentMetadata.ts"
import { transitions } from "./DocumentStatus.ts"
import { listForDeletion } from "./FileRules.ts"

type Decided<A, Refusal> = Result.Result<Decision<A>, Refusal>

/** A command about one document, by a caller who expects one of the versions. */
interface DocumentCommand {
  readonly documentId: DocumentId
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

const findDocument = (documentId: DocumentId): Find & { readonly values: ReadonlyArray<string> } => ({
  kind: documentKind,
  by: "id",
  values: [documentId]
})

const findSite = (documentId: DocumentId): Find => ({
  kind: siteKind,
  by: "id",
  values: { of: findDocument(documentId), member: "siteId" }
})

const findFile = (documentId: DocumentId): Find => ({ kind: fileKind, by: "id", values: [documentId] })

const expected = (
  found: Found,
  { documentId, expectedVersions }: Pick<DocumentCommand, "documentId" | "expectedVersions">
): Result.Result<Stored<DocumentRecord>, DocumentNotFound | VersionMismatch> => {
  const stored = found.byId(documentKind, documentId)
  if (stored === null) return Result.fail(new DocumentNotFound({ documentId }))
  const { version } = stored.record
  return isExpected(expectedVersions, version)
    ? Result.succeed(stored)
    : Result.fail(new VersionMismatch({ actual: version }))
}

/** The write and the event of a site that gets another cover; none when it has that cover already. */
const coverOf = (
  found: Found,
  siteId: SiteId,
  coverImageUrl: string | null,
  at: DateTime.Utc
): { readonly writes: ReadonlyArray<Write>; readonly events: ReadonlyArray<NewEvent> } => {
  const before = found.byId(siteKind, siteId)
  const after = before === null ? null : changedSite(before.record, { coverImageUrl }, at)
  if (before === null || after === null || after === before.record) return { writes: [], events: [] }
  return {
    writes: [{ kind: siteKind, id: siteId, before, after }],
    events: [siteEvent("site.updated", before.record, after)]
  }
}

/** Change of the cover of the site: a path that it loses, or a document that is the cover from now on. */
const coverChange = (found: Found, document: DocumentRecord, at: DateTime.Utc) => {
  const { path, siteId, status, type } = document
  if (type === "coverImage" && status === "uploaded") return coverOf(found, siteId, path, at)
  const isCover = found.byId(siteKind, siteId)?.record.coverImageUrl === path
  return isCover ? coverOf(found, siteId, null, at) : { writes: [], events: [] }
}

interface Parts {
  readonly own: Write
  readonly event: NewEvent
  readonly relinked: ReadonlyArray<Relinked>
  readonly cover: ReturnType<typeof coverOf>
  readonly files: ReadonlyArray<Write>
}

/** The change of a document with that of its neighbours, its site and its file. */
const changeOf = (
  { cover, event, files, own, relinked }: Parts,
  siteId: SiteId,
  at: DateTime.Utc,
  origin: EventOrigin
) =>
  ({
    writes: [own, ...relinkedWrites(relinked), ...cover.writes, ...files],
    events: [event, ...relinkedEvents(relinked), ...cover.events],
    origin,
    at,
    // Other changes of the site make no difference to a document that is not its cover.
    mayChange: cover.writes.length === 0 ? [siteId] : []
  }) satisfies DecidedChange

/** The records that `updateDocument` reads. */
export const findsOfUpdate = (documentId: DocumentId): ReadonlyArray<Find> => [findDocument(documentId)]

/** Sets metadata, in any status. */
export const updateDocument =
  (command: DocumentCommand & { readonly changes: DocumentChanges }, origin: EventOrigin) =>
  (found: Found): Decided<Document, DocumentNotFound | VersionMismatch> =>
    Result.map(expected(found, command), (before) => {
      const { record } = before
      const next = { ...record, ...command.changes }
      if (Equal.equals({ ...record }, next)) return { answer: documentOf(record), change: null }
      const { at } = command
      const after = withMembers(record, { ...command.changes, updatedAt: at, version: record.version + 1 })
      const write = { kind: documentKind, id: record.id, before, after }
      const events = [documentEvent("document.updated", record, after)]
      return { answer: documentOf(after), change: { writes: [write], events, origin, at } }
    })

/** The records that `stepDocument` reads: neighbours and site only where the step concerns them. */
export const findsOfStep = (documentId: DocumentId, to: DocumentStep["to"]): ReadonlyArray<Find> => [
  findDocument(documentId),
  ...(to === "uploaded" || to === "failed"
    ? [findPredecessor(documentId), findSite(documentId), findFile(documentId)]
    : []),
  ...(to === "failed" ? [findSuccessors(documentId)] : [])
]

/** Whether the step names this state of the document: created at that instant, with that last address. */
const isMeant = ({ addressExpiresAt, createdAt }: DocumentRecord, step: DocumentStep): boolean =>
  (step.createdAt === undefined || DateTime.Equivalence(step.createdAt, createdAt)) &&
  (step.lapsedAt === undefined || DateTime.Equivalence(step.lapsedAt, addressExpiresAt))

const reachable = ({ refused, status }: DocumentRecord, { lapsedAt }: DocumentStep) => {
  // The file of any other document has arrived, or is no longer awaited.
  if (lapsedAt !== undefined && status !== "pending") return []
  const isLate = status === "failed" && !refused
  // A file that arrived late leads out of `failed` as out of `pending`.
  return isLate ? transitions.pending : transitions[status]
}

/** The document after the step. `isTaken`: its predecessor has been replaced by another document. */
const stepped = (record: DocumentRecord, step: DocumentStep, isTaken: boolean, at: DateTime.Utc) => {
  const status = isTaken ? "failed" : step.to
  const isRejected = record.status === "uploaded" && status === "failed"
  const reason = isTaken ? "already_replaced" : status === "failed" ? (step.failureReason ?? null) : null
  const after = withMembers(record, {
    ...(isTaken ? {} : step.changes),
    status,
    lookAt: null,
    failureReason: reason,
    refused: status === "failed" && step.lapsedAt === undefined,
    sizeBytes: status === "uploaded" ? (step.sizeBytes ?? record.sizeBytes) : record.sizeBytes,
    // A corrected file has another size than the rejected one.
    ...(isRejected ? { declaredBytes: null, replacedBy: null } : {}),
    updatedAt: at,
    version: record.version + 1
  })
  return { after, status, isRejected }
}

/** Changes the status where the state machine allows it. */
export const stepDocument =
  (command: DocumentCommand & { readonly step: DocumentStep }, origin: EventOrigin) =>
  (found: Found): Decided<Document, DocumentNotFound | InvalidTransition | VersionMismatch> =>
    Result.flatMap(expected(found, command), (before): Decided<Document, InvalidTransition | VersionMismatch> => {
      const { at, step } = command
      const { record } = before
      const { id, siteId, status: from, version } = record
      if (!isMeant(record, step)) return Result.fail(new VersionMismatch({ actual: version }))
      if (!reachable(record, step).includes(step.to)) {
        return Result.fail(new InvalidTransition({ from, to: step.to, allowed: transitions[from] }))
      }
      const isTaken = step.to === "uploaded" && isTooLate(found, record)
      const { after, isRejected, status } = stepped(record, step, isTaken, at)
      const isJoining = status === "uploaded"
      const change = changeOf(
        {
          own: { kind: documentKind, id, before, after },
          event: documentEvent(`document.${status}`, record, after),
          relinked: isRejected ? leaveChain(found, record, at) : isJoining ? joinChain(found, after, at) : [],
          cover: coverChange(found, after, at),
          // The file of a rejected document stays until a new address is issued or the document is deleted.
          files: after.refused && !isRejected ? listForDeletion(found, record) : []
        },
        siteId,
        at,
        origin
      )
      return Result.succeed({ answer: documentOf(after), change })
    })

/** The records that `deleteDocument` reads. */
export const findsOfDeletion = (documentId: DocumentId): ReadonlyArray<Find> => [
  findDocument(documentId),
  findPredecessor(documentId),
  findSuccessors(documentId),
  findSite(documentId),
  findFile(documentId)
]

/** Deletes the document, and lists its file for deletion. */
export const deleteDocument =
  (command: DocumentCommand, origin: EventOrigin) =>
  (found: Found): Decided<void, DocumentNotFound | VersionMismatch> =>
    Result.map(expected(found, command), (before) => {
      const { at } = command
      const { record } = before
      const { id, path, siteId } = record
      const isCover = found.byId(siteKind, siteId)?.record.coverImageUrl === path
      const parts: Parts = {
        own: { kind: documentKind, id, before, after: null },
        event: documentEvent("document.deleted", record, null),
        relinked: leaveChain(found, record, at),
        cover: isCover ? coverOf(found, siteId, null, at) : { writes: [], events: [] },
        files: listForDeletion(found, record)
      }
      return { answer: undefined, change: changeOf(parts, siteId, at, origin) }
    })
