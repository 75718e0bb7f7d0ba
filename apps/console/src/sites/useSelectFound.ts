/**
 * Selects all sites that the filters find, page by page.
 */
import { useEffect, useRef } from "react"
import { readPages } from "../lists/readPages.ts"
import type { Selection } from "../lists/useSelection.ts"
import { useAction } from "../shell/useAction.ts"
import { type SelectedSite, toSelected } from "./SelectedSite.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { readSites } from "./siteReading.ts"

/** The most sites of one request. */
const pageSize = 1_000

/** A stopped or failed run goes on where it ended, as long as the filters stay. */
export const useSelectFound = (filters: SiteFilters, selection: Selection<SelectedSite>) => {
  const key = JSON.stringify(filters)
  const place = useRef<string>(undefined)
  const stopping = useRef<AbortController>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters find other sites
  useEffect(
    () => () => {
      stopping.current?.abort()
      place.current = undefined
    },
    [key]
  )
  const selecting = useAction(async () => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    await readPages(
      (cursor) => readSites(filters, { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
      {
        from: place.current,
        signal,
        onPage: (sites, nextCursor) => {
          place.current = nextCursor ?? undefined
          selection.mark(sites.map(toSelected), true)
        }
      }
    ).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  })
  return { ...selecting, stop: () => stopping.current?.abort() }
}
