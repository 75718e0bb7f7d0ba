/**
 * Coverage of chosen sites, such as those of a page of the list.
 */
import type { SiteCoverage } from "@solar-sites/http-node/client"
import { exchange } from "./exchange.ts"

/** Most sites of one request. */
export const coverageBatch = 100

/** Sites that were deleted meanwhile are left out. */
export const getCoverageOf = async (siteIds: ReadonlyArray<string>): Promise<ReadonlyArray<SiteCoverage>> => {
  const query = new URLSearchParams(siteIds.map((id): [string, string] => ["siteId", id]))
  const path = `/console/coverage?${query}`
  return (await exchange<{ readonly data: ReadonlyArray<SiteCoverage> }>({ method: "GET", path })).data
}
