/**
 * How a site stands in its table, and how it comes out of it.
 */
import { kilowattsPerUnit, Site, type SiteChanges } from "@solar-sites/core"
import { fromSeconds, numberText } from "./PgStatement.ts"

/** A site as `siteColumns` gives it in JSON; instants are seconds since 1970. */
export type SiteRow = Omit<Pick<Site, keyof Site>, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}

/** The columns of a site under the names of the model, from the table or row named by `from`. */
export const siteColumns = (from: string): string => `
  ${from}.id, ${from}.organisation_id as "organisationId", ${from}.site_name as "siteName", ${from}.capacity, ${from}.unit,
  ${from}.address, ${from}.latitude, ${from}.longitude, ${from}.portfolio_id as "portfolioId",
  ${from}.site_manager as "siteManager", ${from}.cover_image_url as "coverImageUrl", ${from}.capacity_kw as "capacityKw",
  date_part('epoch', ${from}.created_at) as "createdAt", date_part('epoch', ${from}.updated_at) as "updatedAt",
  ${from}.version`

/** What is stored was checked on its way in, so that it is not checked again. */
export const toSite = (row: SiteRow): Site =>
  new Site(
    { ...row, createdAt: fromSeconds(row.createdAt), updatedAt: fromSeconds(row.updatedAt) },
    { disableChecks: true }
  )

const textOrNull = (value: number | null): string | null => (value === null ? null : numberText(value))

/**
 * The given members as JSON under the names of their columns, for
 * `jsonb_populate_record`. Numbers go as text: that keeps every digit and the
 * sign of zero.
 */
export const siteRecord = (changes: SiteChanges & { readonly id?: string; readonly version?: number }): string =>
  JSON.stringify({
    id: changes.id,
    version: changes.version,
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
