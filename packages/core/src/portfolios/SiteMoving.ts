/**
 * Moves of sites over any store of records, for adapters without a statement of their own.
 */
import { type DateTime, Effect, Result } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { reachParts } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import { MaximumPageBytes } from "../lists/Page.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import type { Find, NewEvent, Stored, Write } from "../records/RecordKind.ts"
import { Records } from "../records/Records.ts"
import { recordsIn } from "../records/RecordsWithin.ts"
import type { Site } from "../sites/Site.ts"
import { siteEvent, siteKind } from "../sites/SiteKind.ts"
import { changedSite } from "../sites/SiteRules.ts"
import { areTooLarge } from "../sites/SiteSaving.ts"
import { checkedVersion } from "../versions/CheckedVersion.ts"
import type { ChangeOptions } from "../versions/Version.ts"
import { portfolioKind } from "./PortfolioKind.ts"
import type { MovedSites, PortfolioRepository, SiteMove } from "./PortfolioRepository.ts"

/** The sites after a move, in order, and the changes of those that were elsewhere, in order of id. */
export const movedSites = (
  sites: ReadonlyArray<Stored<Site>>,
  portfolioId: PortfolioId | null,
  at: DateTime.Utc
): {
  readonly sites: ReadonlyArray<Site>
  readonly writes: ReadonlyArray<Write>
  readonly events: ReadonlyArray<NewEvent>
} => {
  const moved = sites.map((before) => ({ before, after: changedSite(before.record, { portfolioId }, at) }))
  const changed = moved
    .filter(({ after, before }) => after !== before.record)
    .sort((a, b) => (a.after.id < b.after.id ? -1 : 1))
  return {
    sites: moved.map(({ after }) => after),
    writes: changed.map(({ after, before }) => ({ kind: siteKind, id: after.id, before, after })),
    events: changed.map(({ after, before }) => siteEvent("site.updated", before.record, after))
  }
}

/** The records that a move reads. */
export const findsOfMove = ({ portfolioId, siteIds }: SiteMove): ReadonlyArray<Find> => [
  { kind: portfolioKind, by: "id", values: [portfolioId] },
  { kind: siteKind, by: "id", values: siteIds }
]

/** Moves all sites into a portfolio or out of it, or none. */
export const moveSites =
  (
    { direction, portfolioId, siteIds }: SiteMove,
    { at, expectedVersions, maximumBytes }: ChangeOptions & { readonly maximumBytes: number },
    origin: EventOrigin
  ) =>
  (found: Found): Result.Result<Decision<MovedSites | null>> => {
    const checked = checkedVersion(expectedVersions, found.byId(portfolioKind, portfolioId)?.record)
    if (checked === null) return Result.succeed({ answer: null, change: null })
    const isInto = direction === "into"
    const moving = siteIds.flatMap((siteId) => {
      const site = found.byId(siteKind, siteId)
      return site !== null && (isInto || site.record.portfolioId === portfolioId) ? [site] : []
    })
    const there = new Set(moving.map(({ record }) => record.id))
    const missing = siteIds.filter((siteId) => !there.has(siteId))
    const isTooLarge =
      isInto &&
      areTooLarge(
        moving.map(({ record }) => record),
        maximumBytes
      )
    const answer = { ...checked, missing, areTooLarge: isTooLarge, sites: [] }
    if (missing.length > 0 || isTooLarge || !checked.isExpected) return Result.succeed({ answer, change: null })
    const { events, sites, writes } = movedSites(moving, isInto ? portfolioId : null, at)
    return Result.succeed({
      answer: isInto ? { ...answer, sites } : answer,
      change: writes.length === 0 ? null : { writes, events, origin, at }
    })
  }

/** A method of `PortfolioRepository`. */
export const siteMoving: Effect.Effect<Pick<PortfolioRepository["Service"], "moveSites">, never, Records> = Effect.map(
  Records,
  (records) => ({
    moveSites: (reach, move, { origin, ...options }) =>
      Effect.flatMap(MaximumPageBytes, (maximumBytes) =>
        makeDeciding(recordsIn(records, reach)).create(
          {
            operation: "PortfolioRepository.moveSites",
            organisationId: reachParts(reach).organisationId,
            finds: findsOfMove(move),
            rule: moveSites(move, { ...options, maximumBytes }, origin)
          },
          null
        )
      )
  })
)
