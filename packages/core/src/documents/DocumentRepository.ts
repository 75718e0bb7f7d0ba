/**
 * Lists of documents. `Records` stores them, and `DocumentStorage` keeps their files. Test an implementation
 * with `documentRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect } from "effect"
import type { Reach } from "../caller/Reach.ts"
import type { Page, PageRequest } from "../lists/Page.ts"
import type { SortedPageRequest } from "../lists/Sorting.ts"
import { byDay, byInstant, byText, type SortKeys } from "../lists/SortKey.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { Document, DocumentConditions, DocumentId, DocumentSort } from "./Document.ts"

/** Orders of `DocumentRepository.list`. */
export const documentSortKeys: SortKeys<Document, DocumentSort> = {
  createdAt: null,
  updatedAt: byInstant(({ updatedAt }) => updatedAt),
  filename: byText(({ filename }) => filename),
  validUntil: byDay(({ validUntil }) => validUntil)
}

export class DocumentRepository extends Context.Service<
  DocumentRepository,
  {
    /**
     * A page of the documents that meet all conditions, in ascending order of id (oldest first) or
     * in the requested order. Each of the `searchedWords` of `q` occurs in the `searchedText` of
     * filename and note.
     */
    readonly list: (
      reach: Reach,
      conditions: DocumentConditions,
      page: SortedPageRequest<DocumentId, DocumentSort>
    ) => Effect.Effect<Page<Document>, RepositoryError>

    /**
     * A page of the chain of a document, newest first: from its last successor along `replaces`.
     * `after` is a document of the chain. An absent document has no chain, and after an absent one
     * nothing follows.
     */
    readonly listRevisions: (
      reach: Reach,
      documentId: DocumentId,
      page: PageRequest<DocumentId>
    ) => Effect.Effect<Page<Document>, RepositoryError>
  }
>()("@solar-sites/core/DocumentRepository") {}
