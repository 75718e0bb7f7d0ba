/**
 * The table `site`.
 */
import { type Attributes, kilowattsPerUnit, Site, SiteManager, siteMembers, sortedAttributes } from "@solar-sites/core"
import {
  type Column,
  computed,
  float8,
  instant,
  integer,
  json,
  jsonObject,
  nullable,
  numeric,
  text,
  texts,
  uuid
} from "./Column.ts"
import { valueAt } from "./PageText.ts"
import { makeTable, type Row } from "./Table.ts"

/** `jsonb` sorts names by length first. Input was checked against the schema before it was stored. */
const attributes = (name: string): Column<Attributes> => ({
  ...json(name, (stored) => sortedAttributes(stored as Attributes)),
  empty: "'{}'::jsonb",
  absent: {}
})

/** A new member of a site needs a column here, and a migration that adds it. */
export const siteTable = makeTable(Site, ["organisationId"], {
  id: uuid("id"),
  siteName: text("site_name"),
  capacity: numeric("capacity"),
  unit: text("unit"),
  address: nullable(text("address")),
  latitude: nullable(float8("latitude")),
  longitude: nullable(float8("longitude")),
  portfolioId: nullable(uuid("portfolio_id")),
  siteManager: nullable(jsonObject("site_manager", SiteManager)),
  coverImageUrl: nullable(text("cover_image_url")),
  capacityKw: computed(numeric, (row) => `${row}.capacity_kw`),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
  version: integer("version"),
  externalId: nullable(text("external_id")),
  tags: texts("tags"),
  attributes: attributes("attributes")
})

export type SiteRow = Row<Site>

const factors = Object.entries(kilowattsPerUnit).map(([unit, factor]) => `when '${unit}' then ${factor}`)

/** SQL of the column `kilowatts_per_unit`, from which the table computes `capacity_kw`. */
export const kilowatts = (unit: string): string => `case ${unit} ${factors.join(" ")} end`

const coverPosition = siteTable.positionOf("coverImageUrl")

/** An uploaded cover is stored under its key. Callers see it under a signed address. */
export const isShownAsStored = (row: string): boolean => {
  const cover = valueAt(row, coverPosition)
  return cover === "null" || cover.startsWith('"https:')
}

/** SQL of whether rows are too large for one step (`SitesTooLarge`), given the `MaximumPageBytes`. */
export const areTooLarge = (row: string, bytes: string): string =>
  `coalesce(sum(octet_length((${row}).attributes::text)), 0) > ${bytes}::bigint`

/**
 * SQL of an event about a change of a site: its rows before and after, null for none. `members` are
 * those that the statement may change.
 */
export const siteEvent = (
  before: string | null,
  after: string | null,
  members: ReadonlyArray<(typeof siteMembers)[number]> = siteMembers
) => {
  const row = after ?? before
  return {
    subjectId: `${row}.id`,
    subjectName: `${row}.site_name`,
    siteId: `${row}.id`,
    changes: siteTable.changes(members, before, after)
  }
}
