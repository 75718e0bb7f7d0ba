/**
 * The limit of a key, a user or a caller to portfolios: its list, null without a limit. An empty list sees nothing.
 */
import { distinctArray } from "../input/BoundedArray.ts"
import { PortfolioId } from "./PortfolioId.ts"
import { isReached } from "./Reach.ts"

export type PortfolioLimit = ReadonlyArray<PortfolioId> | null

/** Maximum number of portfolios of a limit. */
export const maximumPortfolioLimit = 50

/** A limit in input: 1 to 50 different portfolios. */
export const PortfolioIds = distinctArray(PortfolioId, {
  max: maximumPortfolioLimit,
  noun: "portfolio",
  distinct: { part: PortfolioId, value: (id) => id, detail: "is in the list already" }
})

/** What both limits reach, in the order of the first one. */
export const bothLimits = (one: PortfolioLimit, other: PortfolioLimit): PortfolioLimit =>
  one === null ? other : one.filter((id) => isReached({ portfolioIds: other }, id))

/** Whether the first limit reaches nothing that the second one does not. */
export const isWithinLimit = (one: PortfolioLimit, other: PortfolioLimit): boolean =>
  other === null || one?.every((id) => isReached({ portfolioIds: other }, id)) === true
