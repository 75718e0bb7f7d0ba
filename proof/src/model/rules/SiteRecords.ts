/**
 * Records of sites: their members, JSON and events (specification, sections 2, 4 and 14).
 */
import { emptySiteMembers, siteMembers } from "@solar-sites/core/model"
import { changesOf, emit, type Origin, type Turn } from "../Call.ts"
import { newId, textWith } from "../Match.ts"
import type { Organisation, Site } from "../ModelState.ts"

const kilowatts: Readonly<Record<string, number>> = { W: 0.001, kW: 1, MW: 1_000, GW: 1_000_000 }
export const units = Object.keys(kilowatts).flatMap((unit) => [unit, `${unit}p`])

export const capacityKw = ({ capacity, unit }: Pick<Site, "capacity" | "unit">): number =>
  unit.startsWith("W") ? capacity / 1_000 : capacity * (kilowatts[unit.replace("p", "")] ?? 0)

export const siteJson = (
  { id: organisationId }: Organisation,
  { coverId, ...site }: Site
): Record<string, unknown> => ({
  ...site,
  organisationId,
  capacityKw: capacityKw(site),
  coverImageUrl: coverId === null ? site.coverImageUrl : textWith("https://", coverId)
})

const coverOf = ({ coverId, coverImageUrl, id }: Site, organisation: Organisation) =>
  coverId === null ? coverImageUrl : `${organisation.id}/${id}/${coverId}`

/** Members as events show them. */
const audited = (organisation: Organisation, site: Site | null) =>
  site === null ? null : { ...site, coverImageUrl: coverOf(site, organisation) }

export const emitSite = (origin: Origin, type: string, from: Site | null, to: Site | null): void => {
  const site = to ?? from
  if (site === null) return
  const changes = changesOf(audited(origin.organisation, from), audited(origin.organisation, to), siteMembers)
  emit(origin, type, { type: "site", id: site.id, name: site.siteName }, site.id, changes)
}

/** Changes a site in place. Equal values change nothing. */
export const changeSite = (origin: Origin, site: Site, values: Readonly<Record<string, unknown>>): boolean => {
  const before = { ...site }
  const after: Site = Object.assign({ ...site }, values)
  if (after.coverImageUrl !== before.coverImageUrl || "coverImageUrl" in values)
    after.coverId = (values["coverId"] as string | null) ?? null
  const changes = changesOf(audited(origin.organisation, before), audited(origin.organisation, after), siteMembers)
  if (Object.keys(changes).length === 0) return false
  Object.assign(site, after, { version: before.version + 1, updatedAt: origin.at })
  emitSite(origin, "site.updated", before, site)
  return true
}

export const portfolioMissing = (
  organisation: Organisation,
  { portfolioId }: Readonly<Record<string, unknown>>
): boolean => typeof portfolioId === "string" && !organisation.portfolios.has(portfolioId)

/** Another site with the external id. */
export const siteWith = ({ sites }: Organisation, externalId: unknown, but?: Site): Site | undefined =>
  externalId === null || externalId === undefined
    ? undefined
    : [...sites.values()].find((site) => site.externalId === externalId && site !== but)

/** A new site, without its id. */
export const newSite = ({ at }: Pick<Turn, "at">, values: object): Site => ({
  ...{ id: "", siteName: "", capacity: 0, unit: "", ...emptySiteMembers, coverId: null, ...values },
  ...{ createdAt: at, updatedAt: at, version: 1 }
})

/** JSON of a new site; its id stores the site. */
export const storedJson = (turn: Turn, site: Site): Record<string, unknown> => {
  const { organisation, model } = turn
  const id = newId(model, (found) => {
    site.id = found
    organisation.sites.set(found, site)
    emitSite(turn, "site.created", null, site)
  })
  return { ...siteJson(organisation, site), id }
}
