/**
 * Records of sites: their members, JSON and events (specification, sections 2, 4 and 14).
 */
import { Site as AnswerOfSite } from "@solar-sites/core"
import { changesOf, emit, type Origin, type Turn, uuidIn } from "../Call.ts"
import { newId, textWith } from "../Match.ts"
import { isRecord, lines, type Member, type Members, name, number, oneOf, read, text } from "../Members.ts"
import type { Organisation, Site } from "../ModelState.ts"

const kilowatts: Readonly<Record<string, number>> = { W: 0.001, kW: 1, MW: 1_000, GW: 1_000_000 }
export const units = Object.keys(kilowatts).flatMap((unit) => [unit, `${unit}p`])

export const capacityKw = ({ capacity, unit }: Pick<Site, "capacity" | "unit">): number =>
  unit.startsWith("W") ? capacity / 1_000 : capacity * (kilowatts[unit.replace("p", "")] ?? 0)

const optional = (member: Member): Member => ({ ...member, holds: (value) => value === null || member.holds(value) })

const manager: Members = {
  name: text(200, { required: true }),
  email: optional(
    text(254, { holds: (value) => typeof value === "string" && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value) })
  ),
  phone: optional(text(50)),
  company: optional(text(200)),
  userId: optional(text(200))
}

const siteManager: Member = {
  holds: (value) => read(manager, [], value, "create").pointers.length === 0,
  inside: (value, pointer) => read(manager, [], value, "create", pointer).pointers,
  form: (value) => ({
    ...{ name: null, email: null, phone: null, company: null, userId: null },
    ...read(manager, [], value, "create").values
  })
}

const isTag = text(50).holds

const tags: Member = {
  holds: (value) =>
    Array.isArray(value) && value.length <= 20 && value.every(isTag) && new Set(value).size === value.length,
  inside: (value, pointer) =>
    Array.isArray(value) && value.length <= 20
      ? value.flatMap((tag, index) => (isTag(tag) && value.indexOf(tag) === index ? [] : [`${pointer}/${index}`]))
      : [pointer]
}

const isAttribute = (value: unknown) =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "string" && value.length <= 1_000) ||
  (typeof value === "number" && Number.isFinite(value))

const attributes: Member = {
  holds: (value) => isRecord(value) && Object.keys(value).length <= 50 && Object.values(value).every(isAttribute),
  inside: (value, pointer) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, one]) => (isAttribute(one) ? [] : [`${pointer}/${key}`]))
      : [pointer]
}

export const siteMembers: Members = {
  siteName: name,
  capacity: number((value) => value > 0 && value <= 1e9, { required: true }),
  unit: oneOf(units, { required: true }),
  address: lines(500),
  latitude: number((value) => Math.abs(value) <= 90),
  longitude: number((value) => Math.abs(value) <= 180),
  portfolioId: { holds: (value) => uuidIn(value) !== undefined, form: uuidIn },
  siteManager,
  coverImageUrl: {
    holds: (value) => typeof value === "string" && URL.parse(value)?.protocol === "https:" && value.length <= 2_048
  },
  externalId: text(200),
  tags,
  attributes
}

export const readOnlyMembers = [
  ...["id", "organisationId", "createdAt", "updatedAt", "version", "capacityKw", "siteCount", "sites"]
]

/** Members that the model does not know, such as one that was just added: it never sets them. */
export const unsetMembers = Object.keys(AnswerOfSite.fields).filter(
  (member) => !(member in siteMembers) && !readOnlyMembers.includes(member)
)

/** Values of the members that are no null when cleared. */
const cleared = (values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const stored: Record<string, unknown> = { ...values }
  if (stored["tags"] === null) stored["tags"] = []
  if (stored["attributes"] === null) stored["attributes"] = {}
  return stored
}

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
  const changes = changesOf(
    audited(origin.organisation, from),
    audited(origin.organisation, to),
    Object.keys(siteMembers)
  )
  emit(origin, type, { type: "site", id: site.id, name: site.siteName }, site.id, changes)
}

/** Changes a site in place. Equal values change nothing. */
export const changeSite = (origin: Origin, site: Site, values: Readonly<Record<string, unknown>>): boolean => {
  const before = { ...site }
  const after: Site = Object.assign({ ...site }, cleared(values))
  if (after.coverImageUrl !== before.coverImageUrl || "coverImageUrl" in values)
    after.coverId = (values["coverId"] as string | null) ?? null
  const changes = changesOf(
    audited(origin.organisation, before),
    audited(origin.organisation, after),
    Object.keys(siteMembers)
  )
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
export const newSite = ({ at }: Pick<Turn, "at">, values: Readonly<Record<string, unknown>>): Site =>
  Object.assign(
    {
      ...Object.fromEntries(unsetMembers.map((member) => [member, null])),
      ...{ id: "", siteName: "", capacity: 0, unit: "", address: null, latitude: null, longitude: null },
      ...{ portfolioId: null, siteManager: null, coverImageUrl: null, coverId: null, externalId: null },
      ...{ tags: [], attributes: {}, createdAt: at, updatedAt: at, version: 1 }
    },
    cleared(values)
  )

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
