/**
 * Exact number of the found documents.
 */
import { useQuery } from "@tanstack/react-query"
import { overviewQuery } from "../overview/overviewQueries.ts"
import type { DocumentFilters, DocumentView } from "./documentFilters.ts"
import { documentTotalOf } from "./documentTotal.ts"

/** The overview is read only for a list of several pages. */
export const useDocumentTotal = (
  view: DocumentView,
  filters: DocumentFilters,
  hasPages: boolean
): number | undefined => {
  const { data } = useQuery({ ...overviewQuery, refetchOnMount: true, enabled: hasPages })
  return documentTotalOf(view, filters, data?.documents)
}
