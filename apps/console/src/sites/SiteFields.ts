/**
 * The fields of the site form, named as they are on the wire, so that a fault
 * finds its field by its pointer. Numbers are read here; the server validates
 * everything else.
 */
import type { CreateSite, Site, UpdateSite } from "@solar-sites/http-node/client"
import { editableNumber, readNumber } from "../texts/formats.ts"

type Unit = Site["unit"]

/** `capacity`, `latitude` and `longitude` are the text of their fields. */
export interface SiteFields {
  readonly siteName: string
  readonly address: string
  readonly capacity: string
  readonly unit: Unit
  readonly latitude: string
  readonly longitude: string
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

const editable = (value: number | null): string => (value === null ? "" : editableNumber(value))

export const fieldsOf = (site: Site): SiteFields => ({
  siteName: site.siteName,
  address: site.address ?? "",
  capacity: editable(site.capacity),
  unit: site.unit,
  latitude: editable(site.latitude),
  longitude: editable(site.longitude),
  portfolioId: site.portfolioId,
  siteManager: {
    name: site.siteManager?.name ?? "",
    email: site.siteManager?.email ?? "",
    phone: site.siteManager?.phone ?? "",
    company: site.siteManager?.company ?? ""
  }
})

const isEmpty = (text: string): boolean => text.trim() === ""

const orNull = (text: string): string | null => (isEmpty(text) ? null : text)

/** True for text in a number field that is no number. An empty field is left to the server. */
export const isUnreadable = (text: string): boolean => !isEmpty(text) && Number.isNaN(readNumber(text))

const degrees = (text: string): number | null => (isEmpty(text) ? null : readNumber(text))

const managerOf = ({ company, email, name, phone }: SiteFields["siteManager"], userId: string | null) => {
  const given = ![company, email, name, phone].every(isEmpty)
  return given || userId !== null
    ? { name, email: orNull(email), phone: orNull(phone), company: orNull(company), userId }
    : null
}

/** The body of a new site. An empty capacity is NaN, which JSON has as null: the server says that it is required. */
export const newSite = (fields: SiteFields, userId: string | null = null) =>
  ({
    siteName: fields.siteName,
    address: orNull(fields.address),
    capacity: readNumber(fields.capacity),
    unit: fields.unit,
    latitude: degrees(fields.latitude),
    longitude: degrees(fields.longitude),
    portfolioId: fields.portfolioId,
    siteManager: managerOf(fields.siteManager, userId)
  }) satisfies CreateSite

type Body = ReturnType<typeof newSite>

/** The members that differ, and no others: a PUT of unchanged ones would undo concurrent changes. */
export const changesBetween = (before: SiteFields, now: SiteFields, userId: string | null): UpdateSite => {
  const old: Body = newSite(before, userId)
  const changed = Object.entries(newSite(now, userId)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(old, name))
  )
  return Object.fromEntries(changed)
}

/** The names of the members that differ. */
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
