/**
 * Statements of both hand-written servers. Selected columns have the names of the JSON members.
 */
import type { SiteQuery } from "../common/pages.ts"
import { settings } from "../common/settings.ts"
import { columnOf, memberNames, type SiteMembers } from "./site.ts"

const schema = `"${settings.schema}"`

/** Expression that selects an instant: as the driver's own type, or as a number in JSON. */
export type Instant = (column: string) => string

const siteColumns = (instant: Instant) => `
  s.id, s.organisation_id as "organisationId", ${memberNames.map((name) => `s.${columnOf(name)} as "${name}"`).join(", ")},
  s.capacity_kw as "capacityKw", ${instant("s.created_at")} as "createdAt", ${instant("s.updated_at")} as "updatedAt",
  s.version`

export const portfoliosWithTotals = (instant: Instant) => `
  select p.id, p.organisation_id as "organisationId", p.name, t.count as "siteCount", t.sum as "capacityKw",
         ${instant("p.created_at")} as "createdAt", ${instant("p.updated_at")} as "updatedAt", p.version,
         p.external_id as "externalId"
  from ${schema}.portfolio p cross join lateral (
    select count(*)::int as count, coalesce(sum(s.capacity_kw), 0) as sum from ${schema}.site s
    where s.organisation_id = p.organisation_id and s.portfolio_id = p.id
  ) t
  where p.organisation_id = $1 order by p.id`

export const sitesInPortfolios = (instant: Instant) => `
  select ${siteColumns(instant)} from ${schema}.site s
  where s.organisation_id = $1 and s.portfolio_id is not null order by s.portfolio_id, s.id`

export const oneSite = (instant: Instant) =>
  `select ${siteColumns(instant)} from ${schema}.site s where s.organisation_id = $1 and s.id = $2`

/** Text and parameters of a list; each combination of conditions is a statement of its own. */
export const sitesOf = (instant: Instant, organisationId: string, { after, limit, portfolioId, siteId }: SiteQuery) => {
  const parameters: Array<string | number> = [organisationId]
  const conditions = [
    ["s.portfolio_id =", portfolioId],
    ["s.id =", siteId],
    ["s.id >", after]
  ].flatMap(([condition, value]) => (value === undefined ? [] : [`and ${condition} $${parameters.push(value)}`]))
  const text = `select ${siteColumns(instant)} from ${schema}.site s where s.organisation_id = $1
    ${conditions.join(" ")} order by s.id limit $${parameters.push(limit + 1)}`
  return { text, parameters }
}

/** Parameters as `insertParameters` returns them. */
export const insertSite = (instant: Instant) => `
  insert into ${schema}.site as s (
    organisation_id, id, created_at, updated_at, kilowatts_per_unit, version, ${memberNames.map(columnOf).join(", ")}
  ) values ($1, $2, $3, $3, $4, 1, ${memberNames.map((_, index) => `$${index + 5}`).join(", ")})
  returning ${siteColumns(instant)}`

/**
 * Changes nothing when all values are stored already. The parameters from the fourth on are the
 * members in order.
 */
export const updateSite = (instant: Instant, members: ReadonlyArray<keyof SiteMembers>) => {
  const columns = members.map(columnOf)
  const values = members.map((_, index) => `$${index + 4}`)
  if (members.includes("unit")) {
    columns.push("kilowatts_per_unit")
    values.push(`$${members.length + 4}`)
  }
  return `update ${schema}.site s
    set ${columns.map((column, index) => `${column} = ${values[index]}`).join(", ")}, updated_at = $3, version = version + 1
    where organisation_id = $1 and id = $2
      and (${columns.map((column, index) => `s.${column} is distinct from ${values[index]}`).join(" or ")})
    returning ${siteColumns(instant)}`
}

export const findKey = `
  select k.organisation_id as "organisationId", k.id as "apiKeyId", k.created_by as "userId",
         k.expires_at as "expiresAt", o.status
  from ${schema}.api_key k join ${schema}.organisation o on o.id = k.organisation_id where k.digest = $1`

export const me = `
  select o.id as "organisationId", o.name as "organisationName", o.status, k.id, k.name, k.prefix,
         k.created_by as "createdBy", k.created_at as "createdAt", k.expires_at as "expiresAt",
         k.last_used_at as "lastUsedAt", k.scopes
  from ${schema}.api_key k join ${schema}.organisation o on o.id = k.organisation_id
  where k.organisation_id = $1 and k.id = $2`

export const insertDocuments = `
  insert into ${schema}.document (
    organisation_id, id, site_id, type, document_type, filename, status, mime_type, size_bytes, declared_bytes,
    uploaded_by, om_record_id, created_at, updated_at, version, address_expires_at, look_at
  )
  select $1, r.id, $2, r.type, r."documentType", r.filename, 'pending', r."mimeType", r."sizeBytes", r."sizeBytes",
         $4, r."omRecordId", $5, $5, 1, $6, $6
  from json_to_recordset($3) as r (
    id uuid, type text, "documentType" text, filename text, "mimeType" text, "sizeBytes" bigint, "omRecordId" text
  )`
