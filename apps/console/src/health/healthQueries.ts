/**
 * Health of the records that a page shows.
 */
import type { Document, DocumentRequirements, SiteCoverage } from "@solar-sites/http-node/client"
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { ask } from "../api/ask.ts"
import { inBatches } from "../lists/inBatches.ts"
import { requirementsQuery } from "../requirements/requirementQueries.ts"
import { type Health, healthOfDocument, healthOfSite } from "./Health.ts"

/** Undefined while it is read, null for a site without requirements. */
export type HealthOfSite = (siteId: string) => Health | null | undefined

/** Most sites of one request. */
const coverageBatch = 100

const coverageOfQuery = (siteIds: ReadonlyArray<string>) =>
  queryOptions({
    queryKey: ["coverage", "of", siteIds],
    queryFn: async () => (await ask("GET /console/coverage", { query: { siteId: siteIds } })).data,
    // Each page of a list leaves an entry.
    gcTime: 300_000
  })

// One function of the module keeps the result the same between renders.
const combine = (results: ReadonlyArray<{ readonly data: ReadonlyArray<SiteCoverage> | undefined }>) =>
  new Map(results.flatMap(({ data = [] }) => data.map((site) => [site.siteId, site] as const)))

/** Names and coverage of these sites, in one request per hundred of them. Deleted ones are left out. */
export const useCoverageOf = (siteIds: ReadonlyArray<string>): ReadonlyMap<string, SiteCoverage> =>
  useQueries({ queries: inBatches(siteIds.toSorted(), coverageBatch).map(coverageOfQuery), combine })

export const useHealthOfSites = (siteIds: ReadonlyArray<string>): HealthOfSite => {
  const found = useCoverageOf(siteIds)
  return useCallback(
    (siteId) => {
      const site = found.get(siteId)
      return site && healthOfSite(site)
    },
    [found]
  )
}

const nothing: DocumentRequirements["requirements"] = []

/** The portfolio is that of the document's site. The same function until the requirements change. */
export const useHealthOfDocuments = () => {
  // Lists need no newer requirements than those of the cache.
  const { data } = useQuery({ ...requirementsQuery, refetchOnMount: true })
  const requirements = data?.requirements ?? nothing
  return useCallback(
    (document: Document, portfolioId: string | null) => healthOfDocument(document, requirements, portfolioId),
    [requirements]
  )
}
