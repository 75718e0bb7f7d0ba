/**
 * Moves sites in batches: the API moves all sites of a request, or none. Changes their tags in batches.
 */
import { maximumTaggedSites } from "@solar-sites/core/model"
import { SolarSitesProblem } from "@solar-sites/http-node/client"
import { ask } from "../api/ask.ts"
import { inBatches } from "../lists/inBatches.ts"
import { PartFailed } from "../lists/runEach.ts"
import { siteBulkTexts as texts } from "../texts/en/siteBulk.ts"
import type { SelectedSite } from "./SelectedSite.ts"

export type SiteBatch = ReadonlyArray<SelectedSite>

/** The most sites of one request. */
const batchSize = 1_000

export const batchesOf = (sites: ReadonlyArray<SelectedSite>): ReadonlyArray<SiteBatch> => inBatches(sites, batchSize)

/** Places of the ids that the request names in vain; empty for any other error. */
const missingIn = (error: unknown): ReadonlySet<number> => {
  if (!(error instanceof SolarSitesProblem)) return new Set()
  const places = error.errors.map(({ pointer }) => Number(/^\/siteIds\/(\d+)$/.exec(pointer)?.[1] ?? Number.NaN))
  return new Set(places.some(Number.isNaN) ? [] : places)
}

/** Sites that were deleted meanwhile keep no others from moving. */
export const moveBatch = async (
  batch: SiteBatch,
  move: (siteIds: ReadonlyArray<string>) => Promise<unknown>
): Promise<void> => {
  const ids = batch.map(({ id }) => id)
  try {
    await move(ids)
  } catch (error) {
    const missing = missingIn(error)
    if (missing.size === 0) throw error
    const left = ids.filter((_, place) => !missing.has(place))
    if (left.length > 0) await move(left)
  }
}

export const tagBatchesOf = (sites: ReadonlyArray<SelectedSite>): ReadonlyArray<SiteBatch> =>
  inBatches(sites, maximumTaggedSites)

/** Sites that were deleted meanwhile are none that fail. */
export const tagBatch = async (
  batch: SiteBatch,
  add: ReadonlyArray<string>,
  remove: ReadonlyArray<string>
): Promise<void> => {
  const siteIds = batch.map(({ id }) => id)
  const { full } = await ask("POST /console/sites/tags", { payload: { siteIds, add, remove } })
  if (full.length === 0) return
  throw new PartFailed(
    batch.filter(({ id }) => full.includes(id)),
    texts.tooManyTags
  )
}
