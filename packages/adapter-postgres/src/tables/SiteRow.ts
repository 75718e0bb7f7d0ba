/**
 * How a site stands in its table, and how it comes out of it.
 */
import {
  kilowattsPerUnit,
  makeUnchecked,
  type OrganisationId,
  Site,
  type SiteChanges,
  type SiteMembers
} from "@solar-sites/core"
import { fromSeconds, numberText, toMilliseconds } from "../repositories/PgJsonStatement.ts"

/** How the value of a column becomes JSON: quotes around it, escapes in it too, or nothing; `?` where it may be null. */
type Nullable = "quoted?" | "escaped?" | "bare?"
type NotNull = "quoted" | "escaped" | "bare" | "seconds"
type Form = Nullable | NotNull

type Columns = ReadonlyArray<
  {
    readonly [Member in Exclude<keyof Site, "organisationId">]: readonly [
      member: Member,
      column: string,
      form: null extends Site[Member] ? Nullable : NotNull
    ]
  }[Exclude<keyof Site, "organisationId">]
>

/** Where each member of a site stands; the type checker knows which may be null, and `toSite` asks for every one. */
const columns = [
  ["id", "id", "quoted"],
  ["siteName", "site_name", "escaped"],
  ["capacity", "capacity", "bare"],
  ["unit", "unit", "escaped"],
  ["address", "address", "escaped?"],
  ["latitude", "latitude", "bare?"],
  ["longitude", "longitude", "bare?"],
  ["portfolioId", "portfolio_id", "quoted?"],
  ["siteManager", "site_manager", "bare?"],
  ["coverImageUrl", "cover_image_url", "escaped?"],
  ["capacityKw", "capacity_kw", "bare"],
  ["createdAt", "created_at", "seconds"],
  ["updatedAt", "updated_at", "seconds"],
  ["version", "version", "bare"]
] as const satisfies Columns
type Columned = (typeof columns)[number]

type Value<Column> = Column extends readonly [infer Member extends keyof Site, string, infer Form]
  ? Form extends "seconds"
    ? number
    : Site[Member]
  : never
type Values<All extends Columns> = { readonly [Index in keyof All]: Value<All[Index]> }

/** The values of a site in the order of the columns; instants are seconds since 1970. */
export type SiteRow = Values<typeof columns>

const orNull = (text: string): string => `coalesce(${text}, 'null')`

const expressions: Readonly<Record<Form, (column: string) => string>> = {
  quoted: (column) => `'"' || ${column} || '"'`,
  "quoted?": (column) => orNull(`'"' || ${column} || '"'`),
  escaped: (column) => `to_json(${column})`,
  "escaped?": (column) => orNull(`to_json(${column})::text`),
  bare: (column) => column,
  "bare?": (column) => orNull(`${column}::text`),
  seconds: (column) => `date_part('epoch', ${column})`
}

/**
 * The site in the row named by `from` as the text of a `SiteRow`. Composed here,
 * since `to_json` looks at the type of each value of each row anew, which costs
 * more than finding and reading the rows.
 */
export const siteJson = (from: string): string => `'[' || concat_ws(',', ${siteValues(from)}) || ']'`

/** The values of a `SiteRow`, each as JSON, in its order. */
export const siteValues = (from: string): string =>
  columns.map(([, column, form]) => expressions[form](`${from}.${column}`)).join(", ")

/** The column has an order of its own for the members of an object. */
export const inOrder = (siteManager: Site["siteManager"]): Site["siteManager"] => {
  if (siteManager === null) return null
  const { company, email, name, phone, userId } = siteManager
  return { name, email, phone, company, userId }
}

/** What is stored was checked on its way in, so that it is not checked again. */
export const toSite =
  (organisationId: OrganisationId) =>
  (row: SiteRow): Site => {
    const [
      id,
      siteName,
      capacity,
      unit,
      address,
      latitude,
      longitude,
      portfolioId,
      siteManager,
      coverImageUrl,
      capacityKw,
      createdAt,
      updatedAt,
      version
    ] = row
    const created = fromSeconds(createdAt)
    return makeUnchecked(Site, {
      id,
      organisationId,
      siteName,
      capacity,
      unit,
      address,
      latitude,
      longitude,
      portfolioId,
      siteManager: inOrder(siteManager),
      coverImageUrl,
      capacityKw,
      createdAt: created,
      // Most sites stay as they were made; instants do not change, so that one will do.
      updatedAt: updatedAt === createdAt ? created : fromSeconds(updatedAt),
      version
    })
  }

export const idOf = (row: SiteRow): Site["id"] => row[0]

/** The portfolio that a site is in. */
export const portfolioIdOf = (row: SiteRow): Site["portfolioId"] => row[7]

type SettableColumn = Extract<Columned, readonly [keyof SiteMembers, ...Array<string>]>[1]

/** The columns of the members a caller can set, and the one that follows from them, with their types. */
const types = {
  site_name: "text",
  capacity: "numeric",
  unit: "text",
  kilowatts_per_unit: "numeric",
  address: "text",
  latitude: "float8",
  longitude: "float8",
  portfolio_id: "uuid",
  site_manager: "jsonb",
  cover_image_url: "text"
} as const satisfies { readonly [Column in SettableColumn | "kilowatts_per_unit"]: string }

/** The columns that a caller can set, in one order for all statements. */
export const settable: ReadonlyArray<string> = Object.keys(types)

/** What `newSiteRecord` holds, for `json_to_recordset`. */
export const newSiteColumns: string = [
  "id uuid",
  "version int",
  "created float8",
  "updated float8",
  ...Object.entries(types).map(([column, type]) => `${column} ${type}`)
].join(", ")

const textOrNull = (value: number | null): string | null => (value === null ? null : numberText(value))

const changedValues = (changes: SiteChanges): { readonly [Column in keyof typeof types]: unknown } => ({
  site_name: changes.siteName,
  capacity: changes.capacity === undefined ? undefined : numberText(changes.capacity),
  unit: changes.unit,
  kilowatts_per_unit: changes.unit === undefined ? undefined : kilowattsPerUnit[changes.unit],
  address: changes.address,
  latitude: changes.latitude === undefined ? undefined : textOrNull(changes.latitude),
  longitude: changes.longitude === undefined ? undefined : textOrNull(changes.longitude),
  portfolio_id: changes.portfolioId,
  site_manager: changes.siteManager,
  cover_image_url: changes.coverImageUrl
})

/**
 * The given members as JSON under the names of their columns, for
 * `jsonb_populate_record`; numbers as text here too.
 */
export const siteRecord = (changes: SiteChanges): string => JSON.stringify(changedValues(changes))

/** A whole new site in the same way; instants are milliseconds. */
export const newSiteRecord = (site: Site): string =>
  JSON.stringify({
    id: site.id,
    version: site.version,
    created: toMilliseconds(site.createdAt),
    updated: toMilliseconds(site.updatedAt),
    ...changedValues(site)
  })
