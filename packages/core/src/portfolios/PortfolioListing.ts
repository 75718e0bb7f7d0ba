/**
 * Listing of portfolios with their sites, as a stream and in memory.
 */
import { Effect, Option, Stream } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { decodeCursor, encodeCursor } from "../lists/Cursor.ts"
import { firstPageSize, followingPageSize, type List, type Page } from "../lists/Page.ts"
import { jsonOf, withJson } from "../lists/PageJson.ts"
import { type Site, SiteId } from "../sites/Site.ts"
import { type Portfolio, PortfolioWithSites } from "./Portfolio.ts"
import type { PortfolioSlice, SlicePosition } from "./PortfolioRepository.ts"

/**
 * One part of the listing. Order: a portfolio, any number of parts with its sites, the next
 * portfolio, and at the end the cursor of the next page.
 */
export type PortfolioPart =
  | { readonly _tag: "Portfolio"; readonly portfolio: Portfolio }
  | { readonly _tag: "Sites"; readonly sites: ReadonlyArray<Site> }
  | { readonly _tag: "End"; readonly nextCursor: string | null }

type FetchPiece<E, R> = (piece: {
  readonly after: SlicePosition | null
  readonly limit: number
}) => Effect.Effect<Page<PortfolioSlice>, E, R>

interface Progress {
  readonly after: SlicePosition | null
  readonly started: number
}

const end = (nextCursor: string | null): PortfolioPart => ({ _tag: "End", nextCursor })

/** The part of a slice. Models of its sites are made when they are read. */
const sitesPart = (slice: PortfolioSlice): PortfolioPart & { readonly _tag: "Sites" } => ({
  _tag: "Sites",
  get sites() {
    return slice.sites
  }
})

const partsOf = (progress: Progress, page: Page<PortfolioSlice>, limit: number) => {
  const parts: Array<PortfolioPart> = []
  let { after, started } = progress
  for (const slice of page.items) {
    const { portfolio, portfolioId } = slice
    if (portfolio !== null) {
      if (started === limit && after !== null) {
        parts.push(end(encodeCursor("portfolios", after.portfolioId)))
        return { parts, next: Option.none<Progress>() }
      }
      started += 1
      parts.push({ _tag: "Portfolio", portfolio })
    }
    const json = jsonOf(slice)
    const lastId = json === undefined ? slice.sites.at(-1)?.id : json.lastId
    const siteId = lastId == null ? null : SiteId.make(lastId)
    if (siteId !== null) parts.push(json === undefined ? sitesPart(slice) : withJson(sitesPart(slice), json))
    after = { portfolioId, siteId }
  }
  if (page.hasMore) return { parts, next: Option.some<Progress>({ after, started }) }
  parts.push(end(null))
  return { parts, next: Option.none<Progress>() }
}

// Bounds the memory held for a slow client. Most listings fit into the first call.
const limitAfter = ({ started }: Progress): number => (started === 0 ? firstPageSize : followingPageSize)

/** The listing as a stream, one port call at a time. At most one piece is in memory. */
export const streamSlices = <E, R>(
  query: { readonly limit?: number; readonly cursor?: string },
  fetch: FetchPiece<E, R>
): Stream.Stream<PortfolioPart, E | ValidationFailed, R> =>
  Stream.unwrap(
    Effect.map(decodeCursor("portfolios", query.cursor), (cursor) => {
      const start: Progress = {
        after: cursor === null ? null : { portfolioId: PortfolioId.make(cursor), siteId: null },
        started: 0
      }
      return Stream.paginate(start, (progress: Progress) =>
        Effect.map(fetch({ after: progress.after, limit: limitAfter(progress) }), (page) => {
          const { next, parts } = partsOf(progress, page, query.limit ?? Number.POSITIVE_INFINITY)
          return [parts, next] as const
        })
      )
    })
  )

/** The whole listing in memory. */
export const collectSlices = <E, R>(
  parts: Stream.Stream<PortfolioPart, E, R>
): Effect.Effect<List<PortfolioWithSites>, E, R> =>
  Effect.suspend(() => {
    const started: Array<{ readonly portfolio: Portfolio; readonly sites: Array<Site> }> = []
    let nextCursor: string | null = null
    return Stream.runForEach(parts, (part) =>
      Effect.sync(() => {
        switch (part._tag) {
          case "Portfolio":
            started.push({ portfolio: part.portfolio, sites: [] })
            break
          case "Sites":
            started.at(-1)?.sites.push(...part.sites)
            break
          case "End":
            nextCursor = part.nextCursor
        }
      })
    ).pipe(
      Effect.map(() => ({
        data: started.map(({ portfolio, sites }) => new PortfolioWithSites({ ...portfolio, sites })),
        nextCursor
      }))
    )
  })
