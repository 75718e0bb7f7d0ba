/**
 * Chains of revisions: what becomes of the neighbours of a document that joins or leaves its chain
 * (docs/decisions/0025).
 */
import type { DateTime } from "effect"
import type { Found } from "../records/Found.ts"
import type { Find, NewEvent, Stored, Write } from "../records/RecordKind.ts"
import type { DocumentId } from "./Document.ts"
import { type DocumentRecord, documentEvent, documentKind, withMembers } from "./DocumentKind.ts"

type Links = Partial<Pick<DocumentRecord, "replaces" | "replacedBy" | "replacementRequests">>

/** A neighbour and its links after the change. */
export interface Relinked {
  readonly before: Stored<DocumentRecord>
  readonly after: DocumentRecord
}

const byId = (documentId: DocumentId) => ({ kind: documentKind, by: "id", values: [documentId] })

/** The document that a document is to replace, or has replaced. */
export const findPredecessor = (documentId: DocumentId): Find => ({
  kind: documentKind,
  by: "id",
  values: { of: byId(documentId), member: "replaces" }
})

/** About 30,000 documents with a note each: rejected and lapsed uploads name their predecessor, too. */
const maximumBytes = 32 * 1_048_576

/** The documents that name a document in `replaces`. */
export const findSuccessors = (documentId: DocumentId): Find => ({
  kind: documentKind,
  by: "replaces",
  values: [documentId],
  maximumBytes
})

/** The neighbour with new links; null when they are as they were. A request of replacement alone is no new version. */
const relink = (before: Stored<DocumentRecord>, links: Links, at: DateTime.Utc): ReadonlyArray<Relinked> => {
  const { record } = before
  const { replacedBy, replacementRequests, replaces } = { ...record, ...links }
  const isChanged = replaces !== record.replaces || replacedBy !== record.replacedBy
  if (!isChanged && replacementRequests === record.replacementRequests) return []
  const changed = isChanged ? { updatedAt: at, version: record.version + 1 } : {}
  return [{ before, after: withMembers(record, { ...links, ...changed }) }]
}

/** The predecessor of an arrived document, with another successor. */
export const isTooLate = (found: Found, { id, replaces }: DocumentRecord): boolean => {
  const successor = found.byId(documentKind, replaces)?.record.replacedBy ?? id
  return successor !== id
}

/** Makes an arrived document the successor of its predecessor. */
export const joinChain = (
  found: Found,
  { id, replaces }: DocumentRecord,
  at: DateTime.Utc
): ReadonlyArray<Relinked> => {
  const predecessor = found.byId(documentKind, replaces)
  return predecessor === null ? [] : relink(predecessor, { replacedBy: id }, at)
}

/**
 * Joins the neighbours of a document that is deleted or rejected. Documents that name it name its
 * predecessor instead. When the predecessor has been replaced by another document, an arrived successor
 * names none.
 */
export const leaveChain = (found: Found, leaving: DocumentRecord, at: DateTime.Utc): ReadonlyArray<Relinked> => {
  const tooLate = isTooLate(found, leaving)
  const successors = found.all(documentKind, "replaces", leaving.id)
  const predecessor = found.byId(documentKind, leaving.replaces)
  const joined = successors.flatMap((successor) => {
    const isArrived = successor.record.id === leaving.replacedBy
    return relink(successor, { replaces: tooLate && isArrived ? null : leaving.replaces }, at)
  })
  if (predecessor === null) return joined
  const { replacedBy, replacementRequests } = predecessor.record
  const links = {
    replacedBy: tooLate ? replacedBy : leaving.replacedBy,
    // The successors name the predecessor from now on.
    replacementRequests: replacementRequests + (successors.length === 0 ? 0 : 1)
  }
  return [...relink(predecessor, links, at), ...joined]
}

export const relinkedWrites = (relinked: ReadonlyArray<Relinked>): ReadonlyArray<Write> =>
  relinked.map(({ after, before }) => ({ kind: documentKind, id: after.id, before, after }))

/** The events of neighbours with new links, in ascending order of id. */
export const relinkedEvents = (relinked: ReadonlyArray<Relinked>): ReadonlyArray<NewEvent> =>
  relinked
    .filter(({ after, before: { record } }) => after.version !== record.version)
    .toSorted((a, b) => (a.after.id < b.after.id ? -1 : 1))
    .map(({ after, before: { record } }) => {
      const isReplaced = record.replacedBy === null && after.replacedBy !== null
      return documentEvent(isReplaced ? "document.replaced" : "document.updated", record, after)
    })
