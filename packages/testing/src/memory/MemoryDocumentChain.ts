/**
 * Chains of revisions in memory.
 */
import { Document, type DocumentId, type Page, type PageRequest } from "@solar-sites/core"
import type { DateTime } from "effect"
import { type MemoryOrganisation, takePage } from "./MemoryDatabase.ts"

type Documents = MemoryOrganisation["documents"]

export const frozen = (document: Pick<Document, keyof Document>): Document =>
  Object.freeze(new Document(document, { disableChecks: true }))

/** The document with other members, as its next version. */
export const changed = (document: Document, members: Partial<Document>, at: DateTime.Utc): Document =>
  frozen({ ...document, ...members, updatedAt: at, version: document.version + 1 })

export const isCurrent = ({ replacedBy, status }: Document): boolean =>
  replacedBy === null && (status === "uploaded" || status === "approved" || status === "completed")

/** Sets a link of another document, where it differs. */
const relink = (
  documents: Documents,
  document: Document,
  link: Partial<Pick<Document, "replaces" | "replacedBy">>,
  at: DateTime.Utc
): void => {
  const stored = documents.get(document.id)
  const { replacedBy, replaces } = { ...document, ...link }
  if (stored === undefined || (replaces === document.replaces && replacedBy === document.replacedBy)) return
  documents.set(document.id, { ...stored, document: changed(document, link, at) })
}

const predecessorOf = (documents: Documents, { replaces }: Document): Document | undefined =>
  replaces === null ? undefined : documents.get(replaces)?.document

/** True when the predecessor has been replaced by another document. */
export const isTooLate = (documents: Documents, document: Document): boolean => {
  const successor = predecessorOf(documents, document)?.replacedBy ?? document.id
  return successor !== document.id
}

/** Makes an arrived document the successor of its predecessor. */
export const joinChain = (documents: Documents, document: Document, at: DateTime.Utc): void => {
  const predecessor = predecessorOf(documents, document)
  if (predecessor !== undefined) relink(documents, predecessor, { replacedBy: document.id }, at)
}

/** Joins the neighbours of a document that is deleted or rejected. */
export const leaveChain = (documents: Documents, leaving: Document, at: DateTime.Utc): void => {
  const tooLate = isTooLate(documents, leaving)
  for (const { document } of [...documents.values()]) {
    if (document.replaces !== leaving.id) continue
    // An arrived successor names no predecessor that has another one.
    const replaces = tooLate && document.id === leaving.replacedBy ? null : leaving.replaces
    relink(documents, document, { replaces }, at)
  }
  const predecessor = predecessorOf(documents, leaving)
  if (predecessor !== undefined && !tooLate) relink(documents, predecessor, { replacedBy: leaving.replacedBy }, at)
}

/** A page of the chain of the document, newest first. */
export const revisionsOf = (
  documents: Documents,
  documentId: DocumentId,
  { after, limit }: PageRequest<DocumentId>
): Page<Document> => {
  const find = (id: DocumentId | null) => (id === null ? undefined : documents.get(id)?.document)
  let next = after === null ? find(documentId) : find(find(after)?.replaces ?? null)
  while (after === null && next !== undefined && next.replacedBy !== null) next = find(next.replacedBy)
  const items: Array<Document> = []
  while (next !== undefined && items.length <= limit) {
    items.push(next)
    next = find(next.replaces)
  }
  return takePage(items, limit)
}
