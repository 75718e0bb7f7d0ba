/**
 * Chains of revisions in memory.
 */
import type { Document, DocumentId, Page, PageRequest } from "@solar-sites/core"
import { type MemoryOrganisation, takePage } from "./MemoryDatabase.ts"

type Documents = MemoryOrganisation["documents"]

export const isCurrent = ({ replacedBy, status }: Document): boolean =>
  replacedBy === null && (status === "uploaded" || status === "approved" || status === "completed")

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
