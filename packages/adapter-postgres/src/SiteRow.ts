/**
 * How a site stands in its table, and how it comes out of it.
 */
import { fromStored, kilowattsPerUnit, Site, type SiteChanges, type SiteMembers } from "@solar-sites/core"
import { fromSeconds, numberText } from "./PgStatement.ts"

/** A site as `siteColumns` gives it in JSON; instants are seconds since 1970. */
export type SiteRow = Omit<Pick<Site, keyof Site>, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}

/** Where each member of a site stands; the type checker asks for every one. */
const columnOf = {
  id: "id",
  organisationId: "organisation_id",
  siteName: "site_name",
  capacity: "capacity",
  unit: "unit",
  address: "address",
  latitude: "latitude",
  longitude: "longitude",
  portfolioId: "portfolio_id",
  siteManager: "site_manager",
  coverImageUrl: "cover_image_url",
  capacityKw: "capacity_kw",
  createdAt: "created_at",
  updatedAt: "updated_at",
  version: "version"
} as const satisfies { readonly [Member in keyof SiteRow]: string }

/** The columns of a site under the names of the model, from the table or row named by `from`. */
export const siteColumns = (from: string): string =>
  Object.entries(columnOf)
    .map(([member, column]) => {
      const value = column.endsWith("_at") ? `date_part('epoch', ${from}.${column})` : `${from}.${column}`
      return `${value} as "${member}"`
    })
    .join(", ")

/** The column has an order of its own for the members of an object. */
const inOrder = (siteManager: Site["siteManager"]): Site["siteManager"] => {
  if (siteManager === null) return null
  const { company, email, name, phone, userId } = siteManager
  return { name, email, phone, company, userId }
}

/** What is stored was checked on its way in, so that it is not checked again. */
export const toSite = (row: SiteRow): Site =>
  fromStored(Site, {
    ...row,
    siteManager: inOrder(row.siteManager),
    createdAt: fromSeconds(row.createdAt),
    updatedAt: fromSeconds(row.updatedAt)
  })

const textOrNull = (value: number | null): string | null => (value === null ? null : numberText(value))

/** The columns of the members a caller can set, and the one that follows from them. */
type SettableColumn = (typeof columnOf)[keyof SiteMembers] | "kilowatts_per_unit"

const settableValues = (changes: SiteChanges): { readonly [Column in SettableColumn]: unknown } => ({
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

/** The columns that an update may set, in one order for all statements. */
export const settable: ReadonlyArray<string> = Object.keys(settableValues({}))

/**
 * The given members as JSON under the names of their columns, for
 * `jsonb_populate_record`. Numbers go as text: that keeps every digit and the
 * sign of zero.
 */
export const siteRecord = ({ id, version, ...changes }: SiteChanges & Partial<Pick<Site, "id" | "version">>): string =>
  JSON.stringify({ id, version, ...settableValues(changes) })
