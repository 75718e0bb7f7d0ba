/**
 * Fields of the site form. They have the names of the JSON members, so that the pointer of a fault
 * leads to its field. Numbers are parsed here; the server validates everything else.
 */
import type { CreateSite, Site, UpdateSite } from "@solar-sites/http-node/client"
import { siteFieldTexts } from "../texts/en/siteFields.ts"
import { editableNumber } from "../texts/formats.ts"
import { readNumber } from "../texts/numbers.ts"
import { type AttributeField, attributeFieldsOf, attributesOf } from "./AttributeFields.ts"
import type { Unit } from "./units.ts"

/** Values of the form, in its order. Numbers are the text of their inputs. */
export interface SiteFields {
  readonly siteName: string
  readonly capacity: string
  readonly unit: Unit
  readonly portfolioId: string | null
  readonly externalId: string
  readonly tags: ReadonlyArray<string>
  readonly address: string
  readonly latitude: string
  readonly longitude: string
  readonly siteManager: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly company: string
  }
  readonly attributes: ReadonlyArray<AttributeField>
}

/** Labels in the form and on the page of a site. */
export const fieldLabels: Readonly<Record<keyof SiteFields, string>> = siteFieldTexts

/** The largest size that a number of the field can have. It can rule out a second reading. */
export const numberFields = {
  capacity: Number.POSITIVE_INFINITY,
  latitude: 90,
  longitude: 180
} satisfies Partial<Record<keyof SiteFields, number>>

/** In the order of the form. */
export const emptyFields: SiteFields = {
  siteName: "",
  capacity: "",
  unit: "kWp",
  portfolioId: null,
  externalId: "",
  tags: [],
  address: "",
  latitude: "",
  longitude: "",
  siteManager: { name: "", email: "", phone: "", company: "" },
  attributes: []
}

const editable = (value: number | null, magnitude?: number): string =>
  value === null ? "" : editableNumber(value, magnitude)

export const fieldsOf = (site: Site): SiteFields => ({
  siteName: site.siteName,
  address: site.address ?? "",
  capacity: editable(site.capacity),
  unit: site.unit,
  latitude: editable(site.latitude, numberFields.latitude),
  longitude: editable(site.longitude, numberFields.longitude),
  portfolioId: site.portfolioId,
  externalId: site.externalId ?? "",
  tags: site.tags,
  siteManager: {
    name: site.siteManager?.name ?? "",
    email: site.siteManager?.email ?? "",
    phone: site.siteManager?.phone ?? "",
    company: site.siteManager?.company ?? ""
  },
  attributes: attributeFieldsOf(site.attributes)
})

const isEmpty = (text: string): boolean => text.trim() === ""

const orNull = (text: string): string | null => (isEmpty(text) ? null : text)

const degrees = (text: string, magnitude: number): number | null => (isEmpty(text) ? null : readNumber(text, magnitude))

const managerOf = ({ company, email, name, phone }: SiteFields["siteManager"], userId: string | null) => {
  const given = ![company, email, name, phone].every(isEmpty)
  return given || userId !== null
    ? { name, email: orNull(email), phone: orNull(phone), company: orNull(company), userId }
    : null
}

/**
 * Body of a new site. An empty capacity is NaN, which JSON writes as null; the server refuses it.
 */
export const newSite = (fields: SiteFields, userId: string | null = null) =>
  ({
    siteName: fields.siteName,
    address: orNull(fields.address),
    capacity: readNumber(fields.capacity),
    unit: fields.unit,
    latitude: degrees(fields.latitude, numberFields.latitude),
    longitude: degrees(fields.longitude, numberFields.longitude),
    portfolioId: fields.portfolioId,
    externalId: orNull(fields.externalId),
    tags: fields.tags,
    siteManager: managerOf(fields.siteManager, userId),
    attributes: attributesOf(fields.attributes)
  }) satisfies { readonly [Name in keyof SiteFields]: CreateSite[Name] }

type Body = ReturnType<typeof newSite>

/** Only the members that differ: a PUT of unchanged members would undo concurrent changes. */
export const changesBetween = (before: SiteFields, now: SiteFields, userId: string | null): UpdateSite => {
  const old: Body = newSite(before, userId)
  const changed = Object.entries(newSite(now, userId)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(old, name))
  )
  return Object.fromEntries(changed)
}

/** Labels of the fields that differ. */
export const changedLabels = (before: Site, now: Site): ReadonlyArray<string> => {
  const changes = changesBetween(fieldsOf(before), fieldsOf(now), null)
  return Object.entries(fieldLabels)
    .filter(([name]) => name in changes)
    .map(([, label]) => label)
}

const fieldNames: ReadonlyArray<string> = [
  ...Object.keys(emptyFields).filter((name) => name !== "siteManager"),
  ...Object.keys(emptyFields.siteManager).map((name) => `siteManager.${name}`)
]

const lists = ["tags", "attributes"]

/** The topmost of these fields in the form. */
export const firstOf = (names: ReadonlyArray<string>): string | undefined =>
  fieldNames.find((field) => names.includes(field))

/** Field of a JSON pointer, also of one into its tags or attributes; `undefined` when the form has none. */
export const fieldAt = (pointer: string): string | undefined => {
  const name = pointer.slice(1).replaceAll("/", ".")
  const [first] = name.split(".")
  return fieldNames.find((field) => field === name || (field === first && lists.includes(field)))
}
