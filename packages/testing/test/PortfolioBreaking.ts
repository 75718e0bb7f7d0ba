/**
 * Moves of sites by adapters that are broken on purpose.
 */
import type { MovedSites, PortfolioRepository, SiteMove } from "@solar-sites/core"
import { Effect } from "effect"

type Service = PortfolioRepository["Service"]
export type Move = Service["moveSites"]

/** Replaces the moves in one direction. */
export const moving =
  (direction: SiteMove["direction"], replaced: (move: Move) => Move) =>
  ({ moveSites }: Service): Partial<Service> => ({
    moveSites: (owner, move, options) =>
      (move.direction === direction ? replaced(moveSites) : moveSites)(owner, move, options)
  })

/** Moves other sites than the given ones. */
export const movingOthers =
  (sitesOf: (owner: Parameters<Move>[0], move: SiteMove) => SiteMove["siteIds"]) =>
  (move: Move): Move =>
  (owner, given, options) =>
    move(owner, { ...given, siteIds: sitesOf(owner, given) }, options)

/** Answers something else. */
export const answering =
  (edit: (found: MovedSites, move: SiteMove) => MovedSites) =>
  (move: Move): Move =>
  (owner, given, options) =>
    Effect.map(move(owner, given, options), (found) => found && edit(found, given))

/** Moves one site after the other, with a step between them. */
export const oneByOne =
  (between: Effect.Effect<void> = Effect.void) =>
  (move: Move): Move =>
  (owner, given, options) =>
    Effect.map(
      Effect.forEach(given.siteIds, (one) =>
        Effect.andThen(between, move(owner, { ...given, siteIds: [one] }, options))
      ),
      (answers) =>
        answers.reduce(
          (all, one) =>
            all && one && { ...one, missing: [...all.missing, ...one.missing], sites: [...all.sites, ...one.sites] }
        )
    )
