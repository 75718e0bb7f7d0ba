/**
 * Exact number of documents, where the overview has it: of all, and of one state. It counts the newest
 * 100,000 documents. Undefined for other filters.
 */
import type { OrganisationOverview } from "../api/Console.ts"
import { type DocumentFilters, type DocumentView, isFiltered } from "./documentFilters.ts"

const counted = 100_000

export const documentTotalOf = (
  view: DocumentView,
  filters: DocumentFilters,
  documents: OrganisationOverview["documents"] | undefined
): number | undefined => {
  const { state } = filters
  if (documents === undefined || view === "expiring" || isFiltered({ ...filters, state: null })) return undefined
  const all = Object.values(documents).reduce((sum, count) => sum + count, 0)
  if (all >= counted || state === "current") return undefined
  if (view === "review") return documents.uploaded
  return state === null ? all : documents[state]
}
