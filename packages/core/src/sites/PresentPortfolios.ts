/**
 * Portfolios of a limit that are still there. A deleted portfolio leaves all limits at once: no stored list is changed,
 * since no other portfolio gets its id.
 */
import { Effect } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { portfolioReference } from "./SiteKind.ts"

/** The portfolios of the organisation among the given ones. */
export const presentPortfolios = (
  { load }: Pick<Records["Service"], "load">,
  operation: string,
  organisationId: OrganisationId,
  portfolioIds: ReadonlyArray<PortfolioId>
): Effect.Effect<ReadonlySet<PortfolioId>, RepositoryError> => {
  if (portfolioIds.length === 0) return Effect.succeed(new Set())
  const values = [...new Set(portfolioIds)]
  return Effect.map(
    load(operation, organisationId, [{ kind: portfolioReference, by: "id", values }]),
    (found) => new Set(values.filter((id) => found.byId(portfolioReference, id) !== null))
  )
}
