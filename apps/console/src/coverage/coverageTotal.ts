/**
 * Number of the sites that filters without a search find, by the summary of their scope.
 */
import type { CoverageSummary } from "@solar-sites/http-node/client"
import type { CoverageFilters } from "./coverageFilters.ts"

/** Undefined for a state of any kind of document: one site can count for several kinds. */
export const coverageTotalOf = (
  { documentType, state }: Pick<CoverageFilters, "documentType" | "state">,
  { documentTypes, siteCount }: CoverageSummary
): number | undefined => {
  if (state === null && documentType === null) return siteCount
  const [counts, ...others] = documentTypes.filter((one) => documentType === null || one.documentType === documentType)
  if (others.length > 0) return undefined
  if (counts === undefined) return 0
  const { documentType: _, ...states } = counts
  return state === null ? Object.values(states).reduce((sum, count) => sum + count, 0) : states[state]
}
