/**
 * Conditions on sites `x`, which lists and clusters share.
 */
import { allConditionsRead, type FoundSites, type PortfolioId } from "@solar-sites/core"
import { arrayText } from "../tables/SqlValues.ts"
import { afterInstant, equal, onlyOf, type PgCondition } from "./PgConditions.ts"

/** Parts of the table, each with an index that has all that a search needs. */
export const searchParts = ["octet_length(x.search) <= 2500", "octet_length(x.search) > 2500"]

/** Conditions that an index can begin with come first. A search has a condition of its own. */
export const siteConditions = (
  { externalId, portfolioId, siteId, tag = [], unit, updatedAfter, ...rest }: Omit<FoundSites, "q" | "health">,
  portfolioIds: ReadonlyArray<PortfolioId> | null
): { readonly leading: ReadonlyArray<PgCondition>; readonly others: ReadonlyArray<PgCondition> } => {
  allConditionsRead(rest)
  const tags: PgCondition = {
    value: tag.length === 0 ? undefined : arrayText(tag),
    type: "text::text[]",
    sql: (value) => `x.tags @> ${value}`,
    isSorted: true
  }
  // The parameter is always true. A condition without one has no value to be given.
  const inNone: PgCondition = {
    value: portfolioId === null ? true : undefined,
    type: "boolean",
    sql: (value) => `(x.portfolio_id is null and ${value})`
  }
  return {
    leading: [
      equal("id", "uuid", siteId),
      equal("external_id", "text", externalId),
      equal("portfolio_id", "uuid", portfolioId ?? onlyOf(portfolioIds)),
      inNone
    ],
    others: [tags, equal("unit", "text", unit), afterInstant(updatedAfter)]
  }
}
