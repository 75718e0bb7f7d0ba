/**
 * Rules of portfolios (specification, sections 2, 4 and 14).
 */
import {
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  portfolioMembers,
  SiteIds,
  UpdatePortfolio
} from "@solar-sites/core/model"
import { SiteSelection } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { invalid, isStale, ok, type Rule, refused, stale } from "../Call.ts"
import { asked, given } from "../Input.ts"
import { folded, hasValues, hasWords, listRule } from "../List.ts"
import { inOrder, type Organisation, type Portfolio, type Site } from "../ModelState.ts"
import { change, created, type Kind, ofRecord, removed, shown } from "../Records.ts"
import { setRequirements } from "./Requirements.ts"
import { capacityKw, changeSite, siteKind } from "./SiteRecords.ts"

const sitesOf = ({ sites }: Organisation, { id }: Portfolio): ReadonlyArray<Site> =>
  inOrder(sites).filter(({ portfolioId }) => portfolioId === id)

const portfolioJson = (organisation: Organisation, portfolio: Portfolio): Record<string, unknown> => {
  const sites = sitesOf(organisation, portfolio)
  return {
    ...portfolio,
    organisationId: organisation.id,
    siteCount: sites.length,
    capacityKw: sites.reduce((sum, site) => sum + capacityKw(site), 0)
  }
}

const portfolioKind: Kind<Portfolio> = {
  type: "portfolio",
  in: ({ portfolios }) => portfolios,
  json: portfolioJson,
  nameOf: ({ name }) => name,
  members: portfolioMembers
}

const portfolioWith = ({ portfolios }: Organisation, externalId: unknown, but?: Portfolio): boolean =>
  typeof externalId === "string" &&
  [...portfolios.values()].some((portfolio) => portfolio.externalId === externalId && portfolio !== but)

const Creation = Schema.Union([Schema.Struct({ portfolios: CreatePortfolios }), CreatePortfolios])

const ofPortfolio = ofRecord(portfolioKind)

type Selected = ReadonlyArray<readonly [id: string, pointer: string]>

const selected = ({ siteId, siteIds }: typeof SiteSelection.Type): Selected => [
  ...(siteId ? [[siteId, "/siteId"] as const] : []),
  ...(siteIds ?? []).map((id, index) => [id, `/siteIds/${index}`] as const)
]

const removeSites = (ids: Selected): Rule =>
  ofPortfolio((turn, portfolio) => {
    const { sites } = turn.organisation
    const missing = ids.flatMap(([id, pointer]) => (sites.get(id)?.portfolioId === portfolio.id ? [] : [pointer]))
    if (missing.length > 0) return refused(404, "site_not_in_portfolio", missing)
    if (isStale(turn, portfolio)) return stale
    for (const id of new Set(ids.map(([one]) => one))) {
      const site = sites.get(id)
      if (site !== undefined) changeSite(turn, site, { portfolioId: null })
    }
    return ok(204)
  })

export const portfolioRules: Readonly<Record<string, Rule>> = {
  listPortfolios: listRule(ListPortfolios, {
    items: ({ organisation }, { externalId, q }) =>
      [...organisation.portfolios.values()].filter(
        (portfolio) => hasValues(portfolio, { externalId }) && hasWords(q, portfolio.name, portfolio.externalId)
      ),
    json: ({ organisation }, portfolio) => portfolioJson(organisation, portfolio),
    sorts: { name: ({ name }) => folded(name) }
  }),
  listPortfoliosWithSites: listRule(ListPortfoliosWithSites, {
    items: ({ organisation }) => [...organisation.portfolios.values()],
    json: ({ organisation }, portfolio) => ({
      ...portfolioJson(organisation, portfolio),
      sites: sitesOf(organisation, portfolio).map((site) => siteKind.json(organisation, site))
    })
  }),
  createPortfolios: (turn) =>
    given(Creation, turn.call, (body) => {
      const { at, organisation } = turn
      const all = "portfolios" in body ? body.portfolios : body
      if (all.some(({ externalId }) => portfolioWith(organisation, externalId)))
        return refused(409, "external_id_taken")
      const data = all.map((values) => {
        const portfolio = { id: "", externalId: null, ...values, createdAt: at, updatedAt: at, version: 1 }
        return created(turn, portfolioKind, portfolio)
      })
      return ok(201, { data })
    }),
  getPortfolio: ofPortfolio((turn, portfolio) => shown(turn, portfolioKind, portfolio)),
  updatePortfolio: (turn) =>
    given(UpdatePortfolio, turn.call, (values) =>
      ofPortfolio((_, portfolio) => {
        if (isStale(turn, portfolio)) return stale
        if (portfolioWith(turn.organisation, values.externalId, portfolio)) return refused(409, "external_id_taken")
        change(turn, portfolioKind, portfolio, values)
        return shown(turn, portfolioKind, portfolio)
      })(turn)
    ),
  deletePortfolio: ofPortfolio((turn, portfolio) => {
    if (isStale(turn, portfolio)) return stale
    const { organisation } = turn
    for (const site of sitesOf(organisation, portfolio)) changeSite(turn, site, { portfolioId: null })
    const { requirements } = organisation
    const entries = requirements.entries.filter(({ portfolioId }) => portfolioId !== portfolio.id)
    if (entries.length < requirements.entries.length) setRequirements(turn, entries)
    removed(turn, portfolioKind, portfolio)
    return ok(204)
  }),
  addSitesToPortfolio: (turn) =>
    given(SiteSelection, turn.call, (selection) =>
      ofPortfolio(({ organisation }, portfolio) => {
        const ids = selected(selection)
        const missing = ids.flatMap(([id, pointer]) => (organisation.sites.has(id) ? [] : [pointer]))
        if (missing.length > 0) return refused(404, "site_not_found", missing)
        const sites = [...new Set(ids.map(([id]) => id))].flatMap((id) => organisation.sites.get(id) ?? [])
        for (const site of sites) changeSite(turn, site, { portfolioId: portfolio.id })
        return ok(200, { data: sites.map((site) => siteKind.json(organisation, site)) })
      })(turn)
    ),
  /** The sites are named in the body, or in the query. */
  removeSitesFromPortfolio: (turn) => {
    const { body, query } = turn.call
    if (body !== undefined && query.length > 0) return invalid([""])
    if (body !== undefined)
      return given(SiteSelection, turn.call, (selection) => removeSites(selected(selection))(turn))
    return asked(Schema.Struct({ siteId: SiteIds }), turn.call, ({ siteId }) =>
      removeSites(siteId.map((id) => [id, "/siteId"]))(turn)
    )
  }
}
