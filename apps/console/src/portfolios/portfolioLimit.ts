/**
 * Limits of users, invitations and API keys to portfolios: null is no limit, and an empty list sees nothing.
 */
import { accessTexts as texts } from "../texts/en/access.ts"
import type { PortfolioNames } from "./portfolioQueries.ts"

export type PortfolioLimit = ReadonlyArray<string> | null

/** Names in one line of a table. */
const named = 3

/** What a limit allows; undefined without a limit. Portfolios without a name are counted. */
export const limitText = (limit: PortfolioLimit, nameOf: PortfolioNames["nameOf"]): string | undefined => {
  if (limit === null) return undefined
  if (limit.length === 0) return texts.nothing
  const names = limit.flatMap((id) => nameOf(id) || []).slice(0, named)
  return names.length === 0 ? texts.onlyUnnamed(limit.length) : texts.only(names, limit.length - names.length)
}

/** The fault of a choice of portfolios; null for a valid one. */
export const limitFault = (limit: PortfolioLimit): string | null => (limit?.length === 0 ? texts.missing : null)
