/**
 * Rules of bulk requests (specification, section 14).
 */
import { type Expected, invalid, lacks, ok, type Rule, refused, type Turn } from "../Call.ts"
import { flag, isRecord, type Members, oneOf, read } from "../Members.ts"
import type { Site } from "../ModelState.ts"
import {
  changeSite,
  newSite,
  portfolioMissing,
  readOnlyMembers,
  siteJson,
  siteMembers,
  siteWith,
  storedJson
} from "./SiteRecords.ts"

const request: Members = {
  sites: { holds: (value) => Array.isArray(value) && value.length > 0 && value.length <= 1_000, required: true },
  mode: oneOf(["create", "upsert"]),
  dryRun: flag
}

type Values = Readonly<Record<string, unknown>>

const requiredMembers = ["siteName", "capacity", "unit"]

/** Pointers of what a new site lacks. */
const lacking = (values: Values, at: string): ReadonlyArray<string> =>
  requiredMembers.filter((name) => !(name in values)).map((name) => `${at}/${name}`)

const readOne = (site: unknown, index: number, isUpsert: boolean) => {
  const at = `/sites/${index}`
  const { pointers, values } = read(siteMembers, readOnlyMembers, site, isUpsert ? "change" : "create", at)
  const needsId = isUpsert && isRecord(site) && (site["externalId"] === undefined || site["externalId"] === null)
  return { values, pointers: needsId ? [...pointers, `${at}/externalId`] : pointers }
}

const resultOf = (turn: Turn, values: Values, stored: Site | undefined, dryRun: boolean) => {
  const { organisation } = turn
  if (stored !== undefined) {
    const site = dryRun ? { ...stored } : stored
    // Events of a dry run go to a copy of the list.
    const events = [...organisation.events]
    const result = changeSite(turn, site, values) ? "updated" : "unchanged"
    if (dryRun) organisation.events = events
    return { result, site: siteJson(organisation, site) }
  }
  const site = newSite(turn, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)))
  return { result: "created", site: dryRun ? { ...siteJson(organisation, site), id: null } : storedJson(turn, site) }
}

/** Creations that name a portfolio, and upserts with the member, put sites into portfolios. */
export const lacksForMoves = (turn: Turn): Expected | undefined => {
  const { body, operation } = turn.call
  if (!isRecord(body) || (operation !== "createSite" && operation !== "bulkSites")) return undefined
  const sites = operation === "createSite" ? [body] : body["sites"]
  const isUpsert = body["mode"] === "upsert"
  const moves =
    Array.isArray(sites) &&
    sites.some((site) => isRecord(site) && "portfolioId" in site && (isUpsert || site["portfolioId"] !== null))
  return moves ? lacks(turn, ["portfolios:write"]) : undefined
}

export const bulkSites: Rule = (turn) => {
  const { organisation } = turn
  const head = read(request, [], turn.call.body, "create")
  const sites: ReadonlyArray<unknown> = Array.isArray(head.values["sites"]) ? head.values["sites"] : []
  const isUpsert = head.values["mode"] === "upsert"
  // Of an unknown mode no member is known to be required.
  const isUnknown = head.pointers.includes("/mode")
  const reads = sites.map((site, index) =>
    isUnknown ? read(siteMembers, readOnlyMembers, site, "change", `/sites/${index}`) : readOne(site, index, isUpsert)
  )
  const faults = [...head.pointers, ...reads.flatMap(({ pointers }) => pointers)]
  const all = reads.map(({ values }) => values)
  const externalIds = all.map(({ externalId }) => externalId ?? null)
  const repeated = externalIds.flatMap((id, index) =>
    id !== null && externalIds.indexOf(id) < index ? [`/sites/${index}/externalId`] : []
  )
  if (faults.length + repeated.length > 0) return invalid([...faults, ...repeated])
  const insufficient = lacksForMoves(turn)
  if (insufficient !== undefined) return insufficient
  const missing = all.flatMap((values, index) =>
    portfolioMissing(organisation, values) ? [`/sites/${index}/portfolioId`] : []
  )
  const stored = all.map(({ externalId }) => siteWith(organisation, externalId))
  const incomplete = isUpsert
    ? all.flatMap((values, index) => (stored[index] === undefined ? lacking(values, `/sites/${index}`) : []))
    : []
  const absent = missing.length > 0 ? refused(404, "portfolio_not_found", missing) : undefined
  if (incomplete.length > 0) return { ...invalid(incomplete), ofState: absent ?? true }
  if (absent !== undefined) return absent
  if (!isUpsert && stored.some((site) => site !== undefined)) return refused(409, "external_id_taken")
  const dryRun = head.values["dryRun"] === true
  const data = all.map((values, index) => resultOf(turn, values, stored[index], dryRun))
  const count = (result: string) => data.filter((one) => one.result === result).length
  const summary = { created: count("created"), updated: count("updated"), unchanged: count("unchanged") }
  return ok(200, { data, summary, dryRun })
}
