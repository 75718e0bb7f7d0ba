/**
 * Lists of documents in memory, for adapters that read all documents of an organisation.
 */

import type { PortfolioId } from "../caller/PortfolioId.ts"
import { isReached, type Reach, reachParts } from "../caller/Reach.ts"
import { isAfter, isFound, sortedPageOf, takePage } from "../lists/ItemPages.ts"
import { allConditionsRead, type Page, type PageRequest } from "../lists/Page.ts"
import type { SortedPageRequest } from "../lists/Sorting.ts"
import type { SiteId } from "../sites/Site.ts"
import type { Document, DocumentConditions, DocumentId, DocumentSort } from "./Document.ts"
import { type DocumentRecord, documentOf } from "./DocumentKind.ts"
import { documentSortKeys } from "./DocumentRepository.ts"
import { isCurrent } from "./DocumentStates.ts"

/** The documents within a reach. `portfolioOf` is the portfolio of a site. */
export const documentsWithin = (
  reach: Reach,
  documents: Iterable<DocumentRecord>,
  portfolioOf: (siteId: SiteId) => PortfolioId | null
): ReadonlyArray<DocumentRecord> =>
  [...documents].filter(({ siteId }) => isReached(reachParts(reach), portfolioOf(siteId)))

/** `DocumentRepository.list` over the given documents. `portfolioOf` is the portfolio of a site. */
export const pageOfDocuments = (
  documents: Iterable<DocumentRecord>,
  conditions: DocumentConditions,
  page: SortedPageRequest<DocumentId, DocumentSort>,
  maximumBytes: number,
  portfolioOf: (siteId: SiteId) => PortfolioId | null
): Page<Document> => {
  const { current, documentType, omRecordId, portfolioId, q, siteId, status, ...others } = conditions
  const { type, updatedAfter, validUntilBefore, ...rest } = others
  allConditionsRead(rest)
  const matching = [...documents].filter(
    (document) =>
      (current === undefined || isCurrent(document) === current) &&
      (siteId === undefined || document.siteId === siteId) &&
      (type === undefined || document.type === type) &&
      (documentType === undefined || document.documentType === documentType) &&
      (status === undefined || document.status === status) &&
      (omRecordId === undefined || document.omRecordId === omRecordId) &&
      (portfolioId === undefined || portfolioOf(document.siteId) === portfolioId) &&
      (validUntilBefore === undefined || (document.validUntil !== null && document.validUntil < validUntilBefore)) &&
      isAfter(document.updatedAt, updatedAfter) &&
      isFound(q, document.filename, document.note)
  )
  const { hasMore, items } = sortedPageOf(matching, page, documentSortKeys, maximumBytes)
  return { items: items.map(documentOf), hasMore }
}

/** `DocumentRepository.listRevisions`. `get` is the document with an id. */
export const pageOfRevisions = (
  get: (documentId: DocumentId) => DocumentRecord | undefined,
  documentId: DocumentId,
  { after, limit }: PageRequest<DocumentId>
): Page<Document> => {
  const find = (id: DocumentId | null) => (id === null ? undefined : get(id))
  let next = after === null ? find(documentId) : find(find(after)?.replaces ?? null)
  while (after === null && next !== undefined && next.replacedBy !== null) next = find(next.replacedBy)
  const items: Array<Document> = []
  while (next !== undefined && items.length <= limit) {
    items.push(documentOf(next))
    next = find(next.replaces)
  }
  return takePage(items, limit)
}
