/**
 * Events of moved sites and deleted portfolios: exactly one per changed record, none of refusals.
 */
import type { Portfolio, PortfolioId, Site, SiteId } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aSite } from "../fixtures.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { asCallerOf, type EventPorts, type ExpectedEvent, expectEvents, expectNoEvent } from "./EventSetup.ts"
import { portfolioMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, insertSites } from "./Setup.ts"

const about = (
  type: "created" | "updated" | "deleted",
  { id, name }: Pick<Portfolio, "id" | "name">,
  from: string | null,
  to: string | null
): ExpectedEvent => ({
  type: `portfolio.${type}`,
  siteId: null,
  subject: { id, name },
  changes: { name: { from, to } }
})

/** Events of moved sites, in the order of their ids. */
const moves = (
  sites: ReadonlyArray<Site>,
  from: PortfolioId | null,
  to: PortfolioId | null
): ReadonlyArray<ExpectedEvent> =>
  sites.map(({ id, siteName }) => ({
    type: "site.updated",
    siteId: id,
    subject: { id, name: siteName },
    changes: { portfolioId: { from, to } }
  }))

const at = changedAt
const idsOf = (sites: ReadonlyArray<Site>): ReadonlyArray<SiteId> => sites.map(({ id }) => id)

export const portfolioEventCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "writes no event for a move or deletion that is refused or changes nothing",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const { id } = yield* insertPortfolio(organisationId)
      const stranger = yield* insertSite(yield* insertOrganisation())
      const [site, elsewhere] = [
        yield* insertSite(organisationId, { portfolioId: id }),
        yield* insertSite(organisationId)
      ]
      const refused = { at, expectedVersions: [7] }
      for (const step of [
        portfolios.addSites(organisationId, id, [site.id], { at }),
        portfolios.addSites(organisationId, id, [elsewhere.id, aSite().id], { at }),
        portfolios.addSites(organisationId, id, [elsewhere.id, stranger.id], { at }),
        portfolios.addSites(organisationId, aPortfolio().id, [elsewhere.id], { at }),
        portfolios.removeSites(organisationId, id, [site.id, elsewhere.id], { at }),
        portfolios.removeSites(organisationId, id, [site.id], refused),
        portfolios.removeSites(organisationId, aPortfolio().id, [site.id], { at }),
        portfolios.delete(organisationId, id, refused),
        portfolios.delete(organisationId, aPortfolio().id, { at })
      ]) {
        yield* expectNoEvent(organisationId, Effect.asVoid<unknown, unknown, never>(step))
      }
    })
  },
  {
    name: "writes one event per site that is added to a portfolio or moved into it",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [{ id }, other] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const [member] = yield* insertSites(organisationId, 1, { portfolioId: id })
      const free = yield* insertSites(organisationId, 2)
      const moved = yield* insertSites(organisationId, 2, { portfolioId: other.id })
      const siteIds = idsOf([...moved, ...free, ...(member === undefined ? [] : [member])]).toReversed()
      const { origin, ran } = asCallerOf(organisationId)(portfolios.addSites(organisationId, id, siteIds, { at }))
      const expected = [...moves(free, null, id), ...moves(moved, other.id, id)]
      yield* expectEvents(
        organisationId,
        ran,
        expected.map((event) => ({ ...event, ...origin }))
      )
    })
  },
  {
    name: "writes one event per site that is removed from a portfolio",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const { id } = yield* insertPortfolio(organisationId)
      const sites = yield* insertSites(organisationId, 3, { portfolioId: id })
      const removed = sites.slice(1)
      const { origin, ran } = asCallerOf(organisationId)(
        portfolios.removeSites(organisationId, id, idsOf(removed).toReversed(), { at })
      )
      const expected = moves(removed, id, null).map((event) => ({ ...event, ...origin }))
      yield* expectEvents(organisationId, ran, expected)
    })
  },
  {
    name: "writes the events of a deleted portfolio and of each site that loses it",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [portfolio, other] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const sites = yield* insertSites(organisationId, 3, { portfolioId: portfolio.id })
      yield* insertSite(organisationId, { portfolioId: other.id })
      const { origin, ran } = asCallerOf(organisationId)(portfolios.delete(organisationId, portfolio.id, { at }))
      const expected = [about("deleted", portfolio, portfolio.name, null), ...moves(sites, portfolio.id, null)]
      yield* expectEvents(
        organisationId,
        ran,
        expected.map((event) => ({ ...event, ...origin }))
      )
      yield* expectEvents(
        organisationId,
        portfolios.delete(organisationId, other.id, { at }),
        [about("deleted", other, other.name, null)],
        "portfolio"
      )
    })
  }
]
