/**
 * The fields of the site form, named as they are on the wire, so that a fault
 * finds its field by its pointer. Nothing is judged here: the server does.
 */
import type { CreateSite, Site, UpdateSite } from "@solar-sites/http-node/client"

type Unit = Site["unit"]

/** What a number field holds: a number, or the text that is none yet. */
type NumberField = number | string

export interface SiteFields {
  readonly siteName: string
  readonly address: string
  readonly capacity: NumberField
  readonly unit: Unit
  readonly latitude: NumberField
  readonly longitude: NumberField
  readonly portfolioId: string | null
  readonly siteManager: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly company: string
  }
}

export const units: ReadonlyArray<Unit> = ["kWp", "MWp", "GWp", "Wp", "kW", "MW", "GW", "W"]

export const isUnit = (text: string | null): text is Unit => units.some((unit) => unit === text)

export const emptyFields: SiteFields = {
  siteName: "",
  address: "",
  capacity: "",
  unit: "kWp",
  latitude: "",
  longitude: "",
  portfolioId: null,
  siteManager: { name: "", email: "", phone: "", company: "" }
}

export const fieldsOf = (site: Site): SiteFields => ({
  siteName: site.siteName,
  address: site.address ?? "",
  capacity: site.capacity,
  unit: site.unit,
  latitude: site.latitude ?? "",
  longitude: site.longitude ?? "",
  portfolioId: site.portfolioId,
  siteManager: {
    name: site.siteManager?.name ?? "",
    email: site.siteManager?.email ?? "",
    phone: site.siteManager?.phone ?? "",
    company: site.siteManager?.company ?? ""
  }
})

const orNull = (text: string): string | null => (text.trim() === "" ? null : text)

// What is no number goes as null, of which the server says what it wants.
const orNaN = (value: NumberField): number =>
  typeof value === "number" ? value : value.trim() === "" ? Number.NaN : Number(value)

const degrees = (value: NumberField): number | null =>
  typeof value === "string" && value.trim() === "" ? null : orNaN(value)

const managerOf = ({ company, email, name, phone }: SiteFields["siteManager"], userId: string | null) => {
  const given = [company, email, name, phone].some((text) => text.trim() !== "")
  return given || userId !== null
    ? { name, email: orNull(email), phone: orNull(phone), company: orNull(company), userId }
    : null
}

/** The body of a new site. */
export const newSite = (fields: SiteFields, userId: string | null = null) =>
  ({
    siteName: fields.siteName,
    address: orNull(fields.address),
    capacity: orNaN(fields.capacity),
    unit: fields.unit,
    latitude: degrees(fields.latitude),
    longitude: degrees(fields.longitude),
    portfolioId: fields.portfolioId,
    siteManager: managerOf(fields.siteManager, userId)
  }) satisfies CreateSite

type Body = ReturnType<typeof newSite>

/** Only what differs between the fields as they were and as they are now, so that nobody else's change is undone. */
export const changesBetween = (before: SiteFields, now: SiteFields, userId: string | null): UpdateSite => {
  const old: Body = newSite(before, userId)
  const changed = Object.entries(newSite(now, userId)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(old, name))
  )
  return Object.fromEntries(changed)
}

/** The names of what differs. */
export const changedNames = (before: Site, now: Site): ReadonlyArray<string> =>
  Object.keys(changesBetween(fieldsOf(before), fieldsOf(now), null))

const fieldNames: ReadonlyArray<string> = [
  ...Object.keys(emptyFields).filter((name) => name !== "siteManager"),
  ...Object.keys(emptyFields.siteManager).map((name) => `siteManager.${name}`)
]

/** The first of these fields, from the top of the form. */
export const firstOf = (names: ReadonlyArray<string>): string | undefined =>
  fieldNames.find((field) => names.includes(field))

/** The field that a pointer leads to, `undefined` when the form has none. */
export const fieldAt = (pointer: string): string | undefined => {
  const name = pointer.slice(1).replaceAll("/", ".")
  return fieldNames.find((field) => field === name)
}
