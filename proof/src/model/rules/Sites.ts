/**
 * Rules of sites (specification, sections 4 and 14).
 */
import { CreateSite, ListSites, UpdateSite } from "@solar-sites/core/model"
import { etag, isStale, lacks, ofRecord, ok, type Rule, refused, stale } from "../Call.ts"
import { given } from "../Input.ts"
import { folded, hasValues, hasWords, listRule } from "../List.ts"
import type { Document, Site } from "../ModelState.ts"
import { lacksForMoves } from "./Bulk.ts"
import { removeDocument } from "./DocumentRecords.ts"
import {
  capacityKw,
  changeSite,
  emitSite,
  newSite,
  portfolioMissing,
  siteJson,
  siteWith,
  storedJson
} from "./SiteRecords.ts"

const createSite: Rule = (turn) =>
  given(CreateSite, turn.call, (values) => {
    const lacking = lacksForMoves(turn)
    if (lacking !== undefined) return lacking
    if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
    if (siteWith(turn.organisation, values.externalId)) return refused(409, "external_id_taken")
    return ok(201, storedJson(turn, newSite(turn, values)), { etag: '"1"' })
  })

const ofSite = ofRecord(({ sites }) => sites, "site_not_found")

const updateSite: Rule = (turn) =>
  given(UpdateSite, turn.call, (values) => {
    const lacking = "portfolioId" in values ? lacks(turn, ["portfolios:write"]) : undefined
    if (lacking !== undefined) return lacking
    return ofSite((_, site) => {
      if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
      if (isStale(turn, site)) return stale
      if (siteWith(turn.organisation, values.externalId, site)) return refused(409, "external_id_taken")
      changeSite(turn, site, values)
      return ok(200, siteJson(turn.organisation, site), etag(site))
    })(turn)
  })

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

const listSites = listRule<ListSites, Site>(ListSites, {
  items: ({ organisation }, { externalId, portfolioId, q, siteId, tag = [], unit }) =>
    [...organisation.sites.values()].filter(
      (site) =>
        hasValues(site, { id: siteId, portfolioId, externalId, unit }) &&
        tag.every((one) => site.tags.includes(one)) &&
        hasWords(q, site.siteName, site.address, site.externalId)
    ),
  json: ({ organisation }, site) => siteJson(organisation, site),
  sorts: { siteName: ({ siteName }) => folded(siteName), capacityKw }
})

export const siteRules: Readonly<Record<string, Rule>> = {
  listSites,
  createSite,
  getSite: ofSite((turn, site) => ok(200, siteJson(turn.organisation, site), etag(site))),
  updateSite,
  deleteSite
}
