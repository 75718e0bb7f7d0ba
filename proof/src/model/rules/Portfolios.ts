/**
 * Rules of portfolios (specification, sections 2, 4 and 14).
 */
import {
  changesOf,
  type Expected,
  emit,
  etag,
  idOf,
  invalid,
  isStale,
  ok,
  type Rule,
  refused,
  stale,
  type Turn,
  uuidIn
} from "../Call.ts"
import { folded, hasWords, instantText, listRule, ordering, paging } from "../List.ts"
import { newId } from "../Match.ts"
import { isRecord, type Members, name, read, text } from "../Members.ts"
import { inOrder, type Organisation, type Portfolio, type Site } from "../ModelState.ts"
import { setRequirements } from "./Requirements.ts"
import { capacityKw, changeSite, readOnlyMembers, siteJson } from "./SiteRecords.ts"

const members: Members = { name, externalId: text(200) }

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
  emit(turn, type, subject, null, changesOf(from && { ...from }, to && { ...to }, Object.keys(members)))
}

const portfolioWith = ({ portfolios }: Organisation, externalId: unknown, but?: Portfolio): boolean =>
  typeof externalId === "string" &&
  [...portfolios.values()].some((portfolio) => portfolio.externalId === externalId && portfolio !== but)

const createPortfolios: Rule = (turn) => {
  const { at, call, organisation, model } = turn
  const isBare = Array.isArray(call.body)
  const given: unknown = isBare ? call.body : isRecord(call.body) ? call.body["portfolios"] : undefined
  const at0 = isBare ? "" : "/portfolios"
  const unknown = isRecord(call.body) ? Object.keys(call.body).filter((key) => key !== "portfolios") : []
  if (!Array.isArray(given) || given.length === 0 || given.length > 100) {
    return invalid([at0, ...unknown.map((key) => `/${key}`)])
  }
  const reads = given.map((one: unknown, index) => read(members, readOnlyMembers, one, "create", `${at0}/${index}`))
  const pointers = [...unknown.map((key) => `/${key}`), ...reads.flatMap((one) => one.pointers)]
  const externalIds = reads.flatMap(({ values }) =>
    typeof values["externalId"] === "string" ? [values["externalId"]] : []
  )
  const repeated = reads.flatMap(({ values }, index) =>
    typeof values["externalId"] === "string" &&
    externalIds.indexOf(values["externalId"]) < index &&
    reads.findIndex((other) => other.values["externalId"] === values["externalId"]) < index
      ? [`${at0}/${index}/externalId`]
      : []
  )
  if (pointers.length + repeated.length > 0) return invalid([...pointers, ...repeated])
  if (externalIds.some((externalId) => portfolioWith(organisation, externalId)))
    return refused(409, "external_id_taken")
  const data = reads.map(({ values }) => {
    const portfolio: Portfolio = Object.assign(
      { id: "", name: "", externalId: null, createdAt: at, updatedAt: at, version: 1 },
      values
    )
    const id = newId(model, (found) => {
      portfolio.id = found
      organisation.portfolios.set(found, portfolio)
      emitPortfolio(turn, "portfolio.created", null, portfolio)
    })
    return { ...portfolioJson(organisation, portfolio), id }
  })
  return ok(201, { data })
}

const ofPortfolio =
  (answer: (turn: Turn, portfolio: Portfolio) => Expected): Rule =>
  (turn) => {
    const portfolio = turn.organisation.portfolios.get(idOf(turn))
    return portfolio === undefined ? refused(404, "portfolio_not_found") : answer(turn, portfolio)
  }

const updatePortfolio: Rule = (turn) => {
  const { pointers, values } = read(members, readOnlyMembers, turn.call.body, "change")
  if (pointers.length > 0) return invalid(pointers)
  return ofPortfolio((_, portfolio) => {
    if (isStale(turn, portfolio)) return stale
    if (portfolioWith(turn.organisation, values["externalId"], portfolio)) return refused(409, "external_id_taken")
    const before = { ...portfolio }
    Object.assign(portfolio, values)
    if (portfolio.name !== before.name || portfolio.externalId !== before.externalId) {
      Object.assign(portfolio, { version: before.version + 1, updatedAt: turn.at })
      emitPortfolio(turn, "portfolio.updated", before, portfolio)
    }
    return ok(200, portfolioJson(turn.organisation, portfolio), etag(portfolio))
  })(turn)
}

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

/** Site ids of a body, each once, with the pointers to their places; or the pointers of faults. */
const siteIdsIn = (
  body: unknown
): { readonly ids: ReadonlyArray<readonly [string, string]>; readonly pointers: ReadonlyArray<string> } => {
  if (!isRecord(body)) return { ids: [], pointers: [""] }
  const one = body["siteId"]
  const many = body["siteIds"]
  const unknown = Object.keys(body).filter((key) => key !== "siteId" && key !== "siteIds")
  if (one !== undefined && many === undefined) {
    const id = uuidIn(one)
    return id === undefined || unknown.length > 0
      ? { ids: [], pointers: [...unknown.map((key) => `/${key}`), ...(id === undefined ? ["/siteId"] : [])] }
      : { ids: [[id, "/siteId"]], pointers: [] }
  }
  if (!Array.isArray(many) || many.length === 0 || many.length > 1_000) return { ids: [], pointers: ["/siteIds"] }
  const pointers = many.flatMap((id: unknown, index) => (uuidIn(id) === undefined ? [`/siteIds/${index}`] : []))
  return { ids: many.map((id: unknown, index) => [uuidIn(id) ?? "", `/siteIds/${index}`] as const), pointers }
}

const addSitesToPortfolio: Rule = (turn) => {
  const { ids, pointers } = siteIdsIn(turn.call.body)
  if (pointers.length > 0) return invalid(pointers)
  return ofPortfolio(({ organisation }, portfolio) => {
    const missing = ids.flatMap(([id, pointer]) => (organisation.sites.has(id) ? [] : [pointer]))
    if (missing.length > 0) return refused(404, "site_not_found", missing)
    const sites = [...new Set(ids.map(([id]) => id))].flatMap((id) => organisation.sites.get(id) ?? [])
    for (const site of sites) changeSite(turn, site, { portfolioId: portfolio.id })
    return ok(200, { data: sites.map((site) => siteJson(organisation, site)) })
  })(turn)
}

const removeSitesFromPortfolio: Rule = (turn) => {
  const { body, query } = turn.call
  const named = query.filter(([key]) => key === "siteId").map(([, id]) => id)
  if (named.length > 0 && body !== undefined) return invalid([""])
  const given = body === undefined ? { siteIds: named } : body
  const { ids, pointers } = siteIdsIn(given)
  if (pointers.length > 0) return invalid(pointers.map((at) => (body === undefined ? at.replace("Ids", "Id") : at)))
  return ofPortfolio(({ organisation }, portfolio) => {
    const isIn = (id: string) => organisation.sites.get(id)?.portfolioId === portfolio.id
    const missing = ids.flatMap(([id, pointer]) => (isIn(id) ? [] : [pointer]))
    if (missing.length > 0) {
      return refused(
        404,
        "site_not_in_portfolio",
        missing.map((at) => (body === undefined ? at.replace(/Ids.*/, "Id") : at))
      )
    }
    if (isStale(turn, portfolio)) return stale
    for (const id of new Set(ids.map(([one]) => one))) {
      const site = organisation.sites.get(id)
      if (site !== undefined) changeSite(turn, site, { portfolioId: null })
    }
    return ok(204)
  })(turn)
}

const listPortfolios: Rule = listRule<Portfolio>(
  {
    ...{ q: text(200), externalId: text(200), updatedAfter: instantText },
    ...ordering("createdAt", "updatedAt", "name"),
    ...paging()
  },
  ({ organisation }, { externalId, order, q, sort }) => ({
    items: [...organisation.portfolios.values()].filter(
      (portfolio) =>
        (externalId === undefined || portfolio.externalId === externalId) &&
        (q === undefined || hasWords(q, portfolio.name, portfolio.externalId))
    ),
    json: (portfolio) => portfolioJson(organisation, portfolio),
    descending: order === "desc",
    ...(sort === "name" ? { value: (portfolio: Portfolio) => folded(portfolio.name) } : {})
  })
)

const listPortfoliosWithSites: Rule = listRule<Portfolio>(paging(100), ({ organisation }) => ({
  items: [...organisation.portfolios.values()],
  json: (portfolio) => ({
    ...portfolioJson(organisation, portfolio),
    sites: sitesOf(organisation, portfolio).map((site) => siteJson(organisation, site))
  })
}))

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
