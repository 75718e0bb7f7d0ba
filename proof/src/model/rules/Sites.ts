/**
 * Rules of sites (specification, sections 4 and 14).
 */
import {
  type Expected,
  etag,
  idOf,
  invalid,
  isStale,
  lacks,
  ok,
  type Rule,
  refused,
  stale,
  type Turn
} from "../Call.ts"
import { folded, hasWords, instantText, listRule, ordering, paging, uuids } from "../List.ts"
import { oneOf, read, text } from "../Members.ts"
import type { Document, Site } from "../ModelState.ts"
import { lacksForMoves } from "./Bulk.ts"
import { removeDocument } from "./DocumentRecords.ts"
import {
  capacityKw,
  changeSite,
  emitSite,
  newSite,
  portfolioMissing,
  readOnlyMembers,
  siteJson,
  siteMembers,
  siteWith,
  storedJson,
  units
} from "./SiteRecords.ts"

const createSite: Rule = (turn) => {
  const { pointers, values } = read(siteMembers, readOnlyMembers, turn.call.body, "create")
  if (pointers.length > 0) return invalid(pointers)
  const lacking = lacksForMoves(turn)
  if (lacking !== undefined) return lacking
  if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
  if (siteWith(turn.organisation, values["externalId"])) return refused(409, "external_id_taken")
  const site = newSite(turn, values)
  return ok(201, storedJson(turn, site), { etag: '"1"' })
}

/** The answer of an operation on one site. */
const ofSite =
  (answer: (turn: Turn, site: Site) => Expected): Rule =>
  (turn) => {
    const site = turn.organisation.sites.get(idOf(turn))
    return site === undefined ? refused(404, "site_not_found") : answer(turn, site)
  }

const updateSite: Rule = (turn) => {
  const { pointers, values } = read(siteMembers, readOnlyMembers, turn.call.body, "change")
  if (pointers.length > 0) return invalid(pointers)
  const lacking = "portfolioId" in values ? lacks(turn, ["portfolios:write"]) : undefined
  if (lacking !== undefined) return lacking
  return ofSite((_, site) => {
    if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
    if (isStale(turn, site)) return stale
    if (siteWith(turn.organisation, values["externalId"], site)) return refused(409, "external_id_taken")
    changeSite(turn, site, values)
    return ok(200, siteJson(turn.organisation, site), etag(site))
  })(turn)
}

const deleteSite: Rule = ofSite((turn, site) => {
  if (isStale(turn, site)) return stale
  const { documents, gone, sites } = turn.organisation
  const own: ReadonlyArray<Document> = [...documents.values()].filter(({ siteId }) => siteId === site.id)
  for (const document of own) removeDocument(turn, document, { alone: false })
  sites.delete(site.id)
  gone.push(site.id)
  emitSite(turn, "site.deleted", site, null)
  return ok(204)
})

const listSites: Rule = listRule<Site>(
  {
    ...uuids("siteId", "portfolioId"),
    ...{ q: text(200), tag: text(50), externalId: text(200), unit: oneOf(units), updatedAfter: instantText },
    ...ordering("createdAt", "updatedAt", "siteName", "capacityKw"),
    ...paging()
  },
  ({ organisation }, { externalId, order, portfolioId, q, siteId, sort, unit }, query) => {
    const wanted = query.flatMap(([parameter, value]) => (parameter === "tag" ? [value] : []))
    return {
      items: [...organisation.sites.values()].filter(
        (site) =>
          (siteId === undefined || site.id === siteId) &&
          (portfolioId === undefined || site.portfolioId === portfolioId) &&
          (externalId === undefined || site.externalId === externalId) &&
          (unit === undefined || site.unit === unit) &&
          wanted.every((tag) => site.tags.includes(tag)) &&
          (q === undefined || hasWords(q, site.siteName, site.address, site.externalId))
      ),
      json: (site) => siteJson(organisation, site),
      descending: order === "desc",
      ...(sort === "siteName" ? { value: ({ siteName }: Site) => folded(siteName) } : {}),
      ...(sort === "capacityKw" ? { value: capacityKw } : {})
    }
  },
  ["tag"]
)

export const siteRules: Readonly<Record<string, Rule>> = {
  listSites,
  createSite,
  getSite: ofSite((turn, site) => ok(200, siteJson(turn.organisation, site), etag(site))),
  updateSite,
  deleteSite
}
