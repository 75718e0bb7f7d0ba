/**
 * Queries for the documents of a site, newest first.
 */
import type { Document } from "@solar-sites/http-node/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { queryClient } from "../api/queries.ts"
import { siteQuery } from "../sites/siteQueries.ts"

// While a document is pending: the service can find its file without a request of this page.
const waitMillis = 5_000

export const documentsQuery = (siteId: string) =>
  queryOptions({
    queryKey: ["documents", siteId],
    queryFn: ({ signal }) => client.documents.list({ siteId }, { signal }),
    select: ({ data }): ReadonlyArray<Document> => data.toReversed(),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === "pending") ? waitMillis : false)
  })

/** Reads the documents of a site again, and the site, which may have a new cover. */
export const refreshDocuments = async (siteId: string): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: documentsQuery(siteId).queryKey }),
    queryClient.invalidateQueries({ queryKey: siteQuery(siteId).queryKey })
  ])
}
