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
import { changesOf, emit, etag, invalid, isStale, ofRecord, ok, type Rule, refused, stale, type Turn } from "../Call.ts"
import { asked, given } from "../Input.ts"
import { folded, hasValues, hasWords, listRule } from "../List.ts"
import { newId } from "../Match.ts"
import { inOrder, type Organisation, type Portfolio, type Site } from "../ModelState.ts"
import { setRequirements } from "./Requirements.ts"
import { capacityKw, changeSite, siteJson } from "./SiteRecords.ts"

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

const emitPortfolio = (turn: Turn, type: string, from: Portfolio | null, to: Portfolio | null): void => {
  const portfolio = to ?? from
  if (portfolio === null) return
  const subject = { type: "portfolio", id: portfolio.id, name: portfolio.name }
  emit(turn, type, subject, null, changesOf(from && { ...from }, to && { ...to }, portfolioMembers))
}

const portfolioWith = ({ portfolios }: Organisation, externalId: unknown, but?: Portfolio): boolean =>
  typeof externalId === "string" &&
  [...portfolios.values()].some((portfolio) => portfolio.externalId === externalId && portfolio !== but)

const Creation = Schema.Union([Schema.Struct({ portfolios: CreatePortfolios }), CreatePortfolios])

const createPortfolios: Rule = (turn) =>
  given(Creation, turn.call, (body) => {
    const { at, organisation, model } = turn
    const all = "portfolios" in body ? body.portfolios : body
    if (all.some(({ externalId }) => portfolioWith(organisation, externalId))) return refused(409, "external_id_taken")
    const data = all.map((values) => {
      const portfolio: Portfolio = {
        ...{ id: "", externalId: null, ...values, createdAt: at, updatedAt: at, version: 1 }
      }
      const id = newId(model, (found) => {
        portfolio.id = found
        organisation.portfolios.set(found, portfolio)
        emitPortfolio(turn, "portfolio.created", null, portfolio)
      })
      return { ...portfolioJson(organisation, portfolio), id }
    })
    return ok(201, { data })
  })

const ofPortfolio = ofRecord(({ portfolios }) => portfolios, "portfolio_not_found")

const updatePortfolio: Rule = (turn) =>
  given(UpdatePortfolio, turn.call, (values) =>
    ofPortfolio((_, portfolio) => {
      if (isStale(turn, portfolio)) return stale
      if (portfolioWith(turn.organisation, values.externalId, portfolio)) return refused(409, "external_id_taken")
      const before = { ...portfolio }
      Object.assign(portfolio, values)
      if (portfolio.name !== before.name || portfolio.externalId !== before.externalId) {
        Object.assign(portfolio, { version: before.version + 1, updatedAt: turn.at })
        emitPortfolio(turn, "portfolio.updated", before, portfolio)
      }
      return ok(200, portfolioJson(turn.organisation, portfolio), etag(portfolio))
    })(turn)
  )

const deletePortfolio: Rule = ofPortfolio((turn, portfolio) => {
  if (isStale(turn, portfolio)) return stale
  const { organisation } = turn
  for (const site of sitesOf(organisation, portfolio)) changeSite(turn, site, { portfolioId: null })
  organisation.portfolios.delete(portfolio.id)
  organisation.gone.push(portfolio.id)
  const { requirements } = organisation
  const entries = requirements.entries.filter(({ portfolioId }) => portfolioId !== portfolio.id)
  if (entries.length < requirements.entries.length) setRequirements(turn, entries)
  emitPortfolio(turn, "portfolio.deleted", portfolio, null)
  return ok(204)
})

type Selected = ReadonlyArray<readonly [id: string, pointer: string]>

const selected = ({ siteId, siteIds }: typeof SiteSelection.Type): Selected => [
  ...(siteId ? [[siteId, "/siteId"] as const] : []),
  ...(siteIds ?? []).map((id, index) => [id, `/siteIds/${index}`] as const)
]

const addSitesToPortfolio: Rule = (turn) =>
  given(SiteSelection, turn.call, (selection) =>
    ofPortfolio(({ organisation }, portfolio) => {
      const ids = selected(selection)
      const missing = ids.flatMap(([id, pointer]) => (organisation.sites.has(id) ? [] : [pointer]))
      if (missing.length > 0) return refused(404, "site_not_found", missing)
      const sites = [...new Set(ids.map(([id]) => id))].flatMap((id) => organisation.sites.get(id) ?? [])
      for (const site of sites) changeSite(turn, site, { portfolioId: portfolio.id })
      return ok(200, { data: sites.map((site) => siteJson(organisation, site)) })
    })(turn)
  )

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

/** The sites are named in the body, or in the query. */
const removeSitesFromPortfolio: Rule = (turn) => {
  const { body, query } = turn.call
  if (body !== undefined && query.length > 0) return invalid([""])
  if (body !== undefined) return given(SiteSelection, turn.call, (selection) => removeSites(selected(selection))(turn))
  return asked(Schema.Struct({ siteId: SiteIds }), turn.call, ({ siteId }) =>
    removeSites(siteId.map((id) => [id, "/siteId"]))(turn)
  )
}

const listPortfolios = listRule(ListPortfolios, {
  items: ({ organisation }, { externalId, q }) =>
    [...organisation.portfolios.values()].filter(
      (portfolio) => hasValues(portfolio, { externalId }) && hasWords(q, portfolio.name, portfolio.externalId)
    ),
  json: ({ organisation }, portfolio) => portfolioJson(organisation, portfolio),
  sorts: { name: ({ name }) => folded(name) }
})

const listPortfoliosWithSites = listRule(ListPortfoliosWithSites, {
  items: ({ organisation }) => [...organisation.portfolios.values()],
  json: ({ organisation }, portfolio) => ({
    ...portfolioJson(organisation, portfolio),
    sites: sitesOf(organisation, portfolio).map((site) => siteJson(organisation, site))
  })
})

export const portfolioRules: Readonly<Record<string, Rule>> = {
  listPortfolios,
  listPortfoliosWithSites,
  createPortfolios,
  getPortfolio: ofPortfolio((turn, portfolio) => ok(200, portfolioJson(turn.organisation, portfolio), etag(portfolio))),
  updatePortfolio,
  deletePortfolio,
  addSitesToPortfolio,
  removeSitesFromPortfolio
}
