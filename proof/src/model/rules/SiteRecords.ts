/**
 * Records of sites: their members, JSON and events (specification, sections 2, 4 and 14).
 */
import { emptySiteMembers, siteMembers } from "@solar-sites/core/model"
import type { Origin, Turn } from "../Call.ts"
import { textWith } from "../Match.ts"
import type { Organisation, Site } from "../ModelState.ts"
import { change, type Kind } from "../Records.ts"

const kilowatts: Readonly<Record<string, number>> = { W: 0.001, kW: 1, MW: 1_000, GW: 1_000_000 }
export const units = Object.keys(kilowatts).flatMap((unit) => [unit, `${unit}p`])

export const capacityKw = ({ capacity, unit }: Pick<Site, "capacity" | "unit">): number =>
  unit.startsWith("W") ? capacity / 1_000 : capacity * (kilowatts[unit.replace("p", "")] ?? 0)

const siteJson = ({ id: organisationId }: Organisation, { coverId, ...site }: Site): Record<string, unknown> => ({
  ...site,
  organisationId,
  capacityKw: capacityKw(site),
  coverImageUrl: coverId === null ? site.coverImageUrl : textWith("https://", coverId)
})

const coverOf = ({ coverId, coverImageUrl, id }: Site, organisation: Organisation) =>
  coverId === null ? coverImageUrl : `${organisation.id}/${id}/${coverId}`

export const siteKind: Kind<Site> = {
  type: "site",
  in: ({ sites }) => sites,
  json: siteJson,
  nameOf: ({ siteName }) => siteName,
  siteIdOf: ({ id }) => id,
  members: siteMembers,
  audited: (organisation, site) => ({ coverImageUrl: coverOf(site, organisation) })
}

/** Changes a site in place. A given cover replaces an uploaded one. */
export const changeSite = (origin: Origin, site: Site, values: Readonly<Record<string, unknown>>): boolean =>
  change(origin, siteKind, site, "coverImageUrl" in values ? { coverId: null, ...values } : values)

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
