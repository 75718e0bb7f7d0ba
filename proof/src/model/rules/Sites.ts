/**
 * Rules of sites, one by one and in bulk (specification, sections 4 and 14).
 */
import { BulkSites, CreateSite, ListSites, UpdateSite, type UpsertSite } from "@solar-sites/core/model"
import { type Expected, invalid, isStale, lacks, ok, type Rule, refused, stale, type Turn, uuidIn } from "../Call.ts"
import { given } from "../Input.ts"
import { folded, hasValues, hasWords, listRule } from "../List.ts"
import { isRecord } from "../Match.ts"
import type { Site } from "../ModelState.ts"
import { portfolioRequired } from "../Reach.ts"
import { created, ofRecord, removed, shown } from "../Records.ts"
import { removeDocument } from "./DocumentRecords.ts"
import { capacityKw, changeSite, newSite, portfolioMissing, siteKind, siteWith } from "./SiteRecords.ts"

const requiredMembers = ["siteName", "capacity", "unit"]

const resultOf = (turn: Turn, values: object, stored: Site | undefined, dryRun: boolean) => {
  const { organisation } = turn
  if (stored !== undefined) {
    const site = dryRun ? { ...stored } : stored
    // Events of a dry run go to a copy of the list.
    const events = [...organisation.events]
    const result = changeSite(turn, site, { ...values }) ? "updated" : "unchanged"
    if (dryRun) organisation.events = events
    return { result, site: siteKind.json(organisation, site) }
  }
  const site = newSite(turn, values)
  return {
    result: "created",
    site: dryRun ? { ...siteKind.json(organisation, site), id: null } : created(turn, siteKind, site)
  }
}

/**
 * Creations that name a portfolio, and upserts with the member, put sites into portfolios. A limited caller has to name
 * one, and needs no further scope for those of its list.
 */
export const refusalOfMoves = (turn: Turn): Expected | undefined => {
  const { limit } = turn.caller
  const { body, operation } = turn.call
  if (!isRecord(body) || (operation !== "createSite" && operation !== "bulkSites")) return undefined
  const sites = operation === "createSite" ? [body] : body["sites"]
  const isUpsert = body["mode"] === "upsert"
  if (!Array.isArray(sites)) return undefined
  const portfolioIds = sites.map((site) => (isRecord(site) ? site["portfolioId"] : undefined))
  const isMove = (id: unknown) => id !== undefined && (isUpsert || id !== null)
  const isFree = (id: unknown) => limit?.includes(uuidIn(id) ?? "") === true
  const lacking = portfolioIds.some((id) => isMove(id) && !isFree(id)) ? lacks(turn, ["portfolios:write"]) : undefined
  if (lacking !== undefined || limit === null) return lacking
  const unplaced = portfolioIds.flatMap((id, index) => {
    const isPlaced = isUpsert ? id !== null : id !== null && id !== undefined
    return isPlaced ? [] : [`/sites/${index}/portfolioId`]
  })
  if (unplaced.length === 0) return undefined
  return portfolioRequired(operation === "createSite" ? undefined : unplaced)
}

const ofSite = ofRecord(siteKind)

export const siteRules: Readonly<Record<string, Rule>> = {
  bulkSites: (turn) =>
    given(BulkSites, turn.call, ({ dryRun, mode, sites }) => {
      const all: ReadonlyArray<CreateSite | UpsertSite> = sites
      const insufficient = refusalOfMoves(turn)
      if (insufficient !== undefined) return insufficient
      const { caller, organisation, whole } = turn
      const missing = all.flatMap((values, index) =>
        portfolioMissing(organisation, values) ? [`/sites/${index}/portfolioId`] : []
      )
      const stored = all.map(({ externalId }) => siteWith(organisation, externalId))
      const unplaced = all.flatMap(({ portfolioId }, index) =>
        caller.limit !== null && stored[index] === undefined && portfolioId === undefined
          ? [`/sites/${index}/portfolioId`]
          : []
      )
      if (unplaced.length > 0) return { ...portfolioRequired(unplaced), ofState: true }
      const incomplete = all.flatMap((values, index) =>
        requiredMembers
          .filter((name) => stored[index] === undefined && !(name in values))
          .map((name) => `/sites/${index}/${name}`)
      )
      const absent = missing.length > 0 ? refused(404, "portfolio_not_found", missing) : undefined
      if (incomplete.length > 0) return { ...invalid(incomplete), ofState: absent ?? true }
      if (absent !== undefined) return absent
      const isTaken = ({ externalId }: CreateSite | UpsertSite, index: number) =>
        siteWith(whole, externalId) !== (mode === "create" ? undefined : stored[index])
      if (all.some(isTaken)) return refused(409, "external_id_taken")
      const data = all.map((values, index) => resultOf(turn, values, stored[index], dryRun))
      const count = (result: string) => data.filter((one) => one.result === result).length
      const summary = { created: count("created"), updated: count("updated"), unchanged: count("unchanged") }
      return ok(200, { data, summary, dryRun })
    }),
  listSites: listRule<ListSites, Site>(ListSites, {
    items: ({ organisation }, { externalId, portfolioId, q, siteId, tag = [], unit }) =>
      [...organisation.sites.values()].filter(
        (site) =>
          hasValues(site, { id: siteId, portfolioId, externalId, unit }) &&
          tag.every((one) => site.tags.includes(one)) &&
          hasWords(q, site.siteName, site.address, site.externalId)
      ),
    json: ({ organisation }, site) => siteKind.json(organisation, site),
    sorts: { siteName: ({ siteName }) => folded(siteName), capacityKw }
  }),
  createSite: (turn) =>
    given(CreateSite, turn.call, (values) => {
      const lacking = refusalOfMoves(turn)
      if (lacking !== undefined) return lacking
      if (portfolioMissing(turn.organisation, values)) return refused(404, "portfolio_not_found")
      if (siteWith(turn.whole, values.externalId)) return refused(409, "external_id_taken")
      return ok(201, created(turn, siteKind, newSite(turn, values)), { etag: '"1"' })
    }),
  getSite: ofSite((turn, site) => shown(turn, siteKind, site)),
  updateSite: (turn) =>
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
    }),
  deleteSite: ofSite((turn, site) => {
    if (isStale(turn, site)) return stale
    const own = [...turn.organisation.documents.values()].filter(({ siteId }) => siteId === site.id)
    for (const document of own) removeDocument(turn, document, { alone: false })
    removed(turn, siteKind, site)
    return ok(204)
  })
}
