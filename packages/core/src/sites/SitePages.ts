/**
 * Lists of sites in memory, for adapters that read all sites of an organisation.
 */

import { isReached, type Reach, reachParts } from "../caller/Reach.ts"
import { isAfter, isFound, sortedPageOf } from "../lists/ItemPages.ts"
import { allConditionsRead, type Page } from "../lists/Page.ts"
import type { SortedPageRequest } from "../lists/Sorting.ts"
import type { Site, SiteId, SiteSort } from "./Site.ts"
import { type ClusterConditions, clustersOf, type SiteClusters } from "./SiteClusters.ts"
import type { FoundSites } from "./SiteHealth.ts"
import { siteSortKeys } from "./SiteRepository.ts"

/** The sites within a reach. */
export const sitesWithin = (reach: Reach, sites: Iterable<Site>): ReadonlyArray<Site> =>
  [...sites].filter(({ portfolioId }) => isReached(reachParts(reach), portfolioId))

const matching = (
  sites: Iterable<Site>,
  { externalId, portfolioId, q, siteId, tag = [], unit, updatedAfter, ...rest }: Omit<FoundSites, "health">
): ReadonlyArray<Site> => {
  allConditionsRead(rest)
  return [...sites].filter(
    (site) =>
      (siteId === undefined || site.id === siteId) &&
      (portfolioId === undefined || site.portfolioId === portfolioId) &&
      (externalId === undefined || site.externalId === externalId) &&
      tag.every((one) => site.tags.includes(one)) &&
      (unit === undefined || site.unit === unit) &&
      isAfter(site.updatedAt, updatedAfter) &&
      isFound(q, site.siteName, site.address, site.externalId)
  )
}

/** `SiteRepository.list` over the given sites. */
export const pageOfSites = (
  sites: Iterable<Site>,
  conditions: Omit<FoundSites, "health">,
  page: SortedPageRequest<SiteId, SiteSort>,
  maximumBytes: number
): Page<Site> => sortedPageOf(matching(sites, conditions), page, siteSortKeys, maximumBytes)

/** `SiteRepository.clusters` over the given sites. */
export const clustersOfSites = (
  sites: Iterable<Site>,
  { within, ...conditions }: Omit<ClusterConditions, "health">
): SiteClusters => clustersOf(matching(sites, conditions), within)
