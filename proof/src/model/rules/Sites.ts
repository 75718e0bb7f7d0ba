/**
 * Rules of sites (specification, sections 4 and 14).
 */
import { CreateSite, ListSites, UpdateSite } from "@solar-sites/core/model"
import { isStale, lacks, ok, type Rule, refused, stale } from "../Call.ts"
import { given } from "../Input.ts"
import { folded, hasValues, hasWords, listRule } from "../List.ts"
import type { Site } from "../ModelState.ts"
import { portfolioRequired } from "../Reach.ts"
import { created, ofRecord, removed, shown } from "../Records.ts"
import { refusalOfMoves } from "./Bulk.ts"
import { removeDocument } from "./DocumentRecords.ts"
import { capacityKw, changeSite, newSite, portfolioMissing, siteKind, siteWith } from "./SiteRecords.ts"

const createSite: Rule = (turn) =>
  given(CreateSite, turn.call, (values) => {
    const lacking = refusalOfMoves(turn)
    if (lacking !== undefined) return lacking
    if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
    if (siteWith(turn.whole, values.externalId)) return refused(409, "external_id_taken")
    return ok(201, created(turn, siteKind, newSite(turn, values)), { etag: '"1"' })
  })

const ofSite = ofRecord(siteKind)

const updateSite: Rule = (turn) =>
  given(UpdateSite, turn.call, (values) => {
    const { limit } = turn.caller
    const { portfolioId } = values
    const isFree = typeof portfolioId === "string" && limit?.includes(portfolioId) === true
    const lacking = portfolioId === undefined || isFree ? undefined : lacks(turn, ["portfolios:write"])
    if (lacking !== undefined) return lacking
    if (portfolioId === null && limit !== null) return portfolioRequired()
    return ofSite((_, site) => {
      if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
      if (isStale(turn, site)) return stale
      if (siteWith(turn.whole, values.externalId, site)) return refused(409, "external_id_taken")
      changeSite(turn, site, values)
      return shown(turn, siteKind, site)
    })(turn)
  })

const deleteSite: Rule = ofSite((turn, site) => {
  if (isStale(turn, site)) return stale
  const own = [...turn.organisation.documents.values()].filter(({ siteId }) => siteId === site.id)
  for (const document of own) removeDocument(turn, document, { alone: false })
  removed(turn, siteKind, site)
  return ok(204)
})

const listSites = listRule<ListSites, Site>(ListSites, {
  items: ({ organisation }, { externalId, portfolioId, q, siteId, tag = [], unit }) =>
    [...organisation.sites.values()].filter(
      (site) =>
        hasValues(site, { id: siteId, portfolioId, externalId, unit }) &&
        tag.every((one) => site.tags.includes(one)) &&
        hasWords(q, site.siteName, site.address, site.externalId)
    ),
  json: ({ organisation }, site) => siteKind.json(organisation, site),
  sorts: { siteName: ({ siteName }) => folded(siteName), capacityKw }
})

export const siteRules: Readonly<Record<string, Rule>> = {
  listSites,
  createSite,
  getSite: ofSite((turn, site) => shown(turn, siteKind, site)),
  updateSite,
  deleteSite
}
