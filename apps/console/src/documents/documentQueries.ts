/**
 * Queries for documents.
 */
import type { Document, List, ListDocuments } from "@solar-sites/http-node/client"
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { readAgain } from "../api/queries.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"
import { siteQuery } from "../sites/siteQueries.ts"

// While a document is pending: the service can find its file without a request of this page.
const waitMillis = 5_000

const pageSize = 50
const start = ""

const isPending = ({ status }: Document): boolean => status === "pending"

export type DocumentFilter = Pick<ListDocuments, "status" | "current" | "documentType" | "q">

/** Documents of a site, newest first, page by page. */
export const documentsQuery = (siteId: string, filter: DocumentFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ["documents", siteId, filter],
    queryFn: ({ pageParam: cursor, signal }): Promise<List<Document>> =>
      client.documents.list(
        { siteId, ...filter, order: "desc", limit: pageSize, ...(cursor === start ? {} : { cursor }) },
        { signal }
      ),
    initialPageParam: start,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isPending)) ? waitMillis : false)
  })

const countedDocuments = 1_000

/** Number of documents of a site; null above 1,000. */
export const documentCountQuery = (siteId: string) =>
  queryOptions({
    queryKey: ["documents", siteId, "count"],
    queryFn: ({ signal }) => client.documents.list({ siteId, limit: countedDocuments }, { signal }),
    select: ({ data, nextCursor }) => (nextCursor === null ? data.length : null)
  })

export const documentQuery = (documentId: string) =>
  queryOptions({
    queryKey: ["documents", "one", documentId],
    queryFn: ({ signal }) => client.documents.get(documentId, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isPending(state.data) ? waitMillis : false)
  })

/** The chain of revisions, newest first. */
export const revisionsQuery = (documentId: string) =>
  queryOptions({
    queryKey: ["documents", "revisions", documentId],
    queryFn: ({ signal }) => client.documents.listRevisions(documentId, {}, { signal }),
    select: ({ data }) => data
  })

// Addresses are signed for five minutes.
const addressMillis = 240_000

export const addressQuery = (documentId: string) =>
  queryOptions({
    queryKey: ["addresses", documentId],
    queryFn: async ({ signal }) => (await client.documents.downloadUrl(documentId, { signal })).url,
    staleTime: addressMillis,
    gcTime: addressMillis
  })

/**
 * Reads again: documents, the coverage and the events that depend on them, and the sites, which may
 * have a new cover.
 */
export const refreshDocuments = (...siteIds: ReadonlyArray<string>): Promise<void> =>
  readAgain(
    ["documents"],
    ["coverage"],
    ["events"],
    overviewQuery.queryKey,
    ...siteIds.map((siteId) => siteQuery(siteId).queryKey)
  )
