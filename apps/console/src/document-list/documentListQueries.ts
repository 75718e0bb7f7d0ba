/**
 * Documents of all sites, page by page, and the sites of the shown ones.
 */
import type { Document, Site } from "@solar-sites/http-node/client"
import { useQueries } from "@tanstack/react-query"
import { useMemo } from "react"
import { client } from "../api/client.ts"
import { type ListQuery, useListQuery } from "../lists/useListQuery.ts"
import { siteQuery } from "../sites/siteQueries.ts"
import { type DocumentFilters, type DocumentView, documentFilters, queryOf } from "./documentFilters.ts"

export const useDocumentList = (view: DocumentView): ListQuery<DocumentFilters, Document> => {
  const filters = useMemo(() => documentFilters(view), [view])
  return useListQuery({
    ...filters,
    key: ["documents", "list", view],
    searchOf: ({ search }) => search,
    readPage: (filters, paging, options) => client.documents.list({ ...queryOf(view, filters), ...paging }, options)
  })
}

// Names seldom change, and each site is a request.
const siteStaleMillis = 300_000

/** The sites of these documents, as far as they were read. */
export const useSitesOf = (documents: ReadonlyArray<Document>): ReadonlyMap<string, Site> => {
  const siteIds = [...new Set(documents.map(({ siteId }) => siteId))]
  return useQueries({
    queries: siteIds.map((siteId) => ({ ...siteQuery(siteId), staleTime: siteStaleMillis })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])))
  })
}
