/**
 * Setup of the cases about concurrent changes of portfolios.
 */
import { Effect } from "effect"
import { insertOrganisation, insertPortfolio, insertSites } from "../../src/conformance/Setup.ts"

/**
 * A new organisation with two portfolios and five sites without portfolio; their ids in both
 * orders.
 */
export const twoPortfolios = Effect.gen(function* () {
  const organisationId = yield* insertOrganisation()
  const one = yield* insertPortfolio(organisationId)
  const two = yield* insertPortfolio(organisationId)
  const sites = yield* insertSites(organisationId, 5)
  const ascending = sites.map(({ id }) => id)
  return { organisationId, one, two, sites, ascending, descending: ascending.toReversed() }
})
