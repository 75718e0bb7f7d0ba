/**
 * Statements of the hand-written server. Selected columns have the names of the JSON members.
 */
import type { SiteQuery } from "../common/pages.ts"
import { settings } from "../common/settings.ts"
import { writeEvents } from "./events.ts"
import { columnOf, memberNames, type SiteMembers } from "./site.ts"

const schema = `"${settings.schema}"`

const siteColumns = `
  s.id, s.organisation_id as "organisationId", ${memberNames.map((name) => `s.${columnOf(name)} as "${name}"`).join(", ")},
  s.capacity_kw as "capacityKw", s.created_at as "createdAt", s.updated_at as "updatedAt",
  s.version`

export const portfoliosWithTotals = `
  select p.id, p.organisation_id as "organisationId", p.name, t.count as "siteCount", t.sum as "capacityKw",
         p.created_at as "createdAt", p.updated_at as "updatedAt", p.version,
         p.external_id as "externalId"
  from ${schema}.portfolio p cross join lateral (
    select count(*)::int as count, coalesce(sum(s.capacity_kw), 0) as sum from ${schema}.site s
    where s.organisation_id = p.organisation_id and s.portfolio_id = p.id
  ) t
  where p.organisation_id = $1 order by p.id`

export const sitesInPortfolios = `
  select ${siteColumns} from ${schema}.site s
  where s.organisation_id = $1 and s.portfolio_id is not null order by s.portfolio_id, s.id`

export const oneSite = `select ${siteColumns} from ${schema}.site s where s.organisation_id = $1 and s.id = $2`

/** Text and parameters of a list; each combination of conditions is a statement of its own. */
export const sitesOf = (organisationId: string, { after, limit, portfolioId, siteId }: SiteQuery) => {
  const parameters: Array<string | number> = [organisationId]
  const conditions = [
    ["s.portfolio_id =", portfolioId],
    ["s.id =", siteId],
    ["s.id >", after]
  ].flatMap(([condition, value]) => (value === undefined ? [] : [`and ${condition} $${parameters.push(value)}`]))
  const text = `select ${siteColumns} from ${schema}.site s where s.organisation_id = $1
    ${conditions.join(" ")} order by s.id limit $${parameters.push(limit + 1)}`
  return { text, parameters }
}

export const holder = `select s.id from ${schema}.site s where s.organisation_id = $1 and s.external_id = $2`

export const portfolio = `select p.id from ${schema}.portfolio p where p.organisation_id = $1 and p.id = $2`

const siteEvent = (type: "site.created" | "site.updated", changes = "$8::json") =>
  writeEvents({ type, name: "c.site_name", siteId: "c.id", changes })

/** Parameters: those of the origin, changes, id, kilowatts per unit, and the members in order. */
export const insertSite = `
  with changed as (
    insert into ${schema}.site (
      organisation_id, id, created_at, updated_at, kilowatts_per_unit, version, ${memberNames.map(columnOf).join(", ")}
    ) values (
      $1::uuid, $9::uuid, $2::timestamptz, $2::timestamptz, $10, 1, ${memberNames.map((_, n) => `$${n + 11}`).join(", ")}
    )
    returning *
  ), ${siteEvent("site.created")}
  select ${siteColumns} from changed s`

/**
 * Changes the version that was read. Parameters: those of the origin, changes, id, version, kilowatts
 * per unit, and the changed members in order.
 */
export const updateSite = (members: ReadonlyArray<keyof SiteMembers>) => `
  with changed as (
    update ${schema}.site s
    set updated_at = $2::timestamptz, version = s.version + 1, kilowatts_per_unit = $11::numeric,
        ${members.map((member, n) => `${columnOf(member)} = $${n + 12}`).join(", ")}
    where s.organisation_id = $1::uuid and s.id = $9::uuid and s.version = $10
    returning s.*
  ), ${siteEvent("site.updated")}
  select ${siteColumns} from changed s`

/** Parameters: those of the origin, portfolio, ids of sites. Changes nothing unless all sites are there. */
export const moveSites = `
  with locked_portfolio as materialized (
    select p.id from ${schema}.portfolio p where p.organisation_id = $1::uuid and p.id = $8::uuid for key share
  ), locked as materialized (
    select s.id, s.portfolio_id as before from ${schema}.site s
    where s.organisation_id = $1::uuid and s.id = any ($9::uuid[]) and exists (select from locked_portfolio)
    order by s.id
    for no key update of s
  ), changed as (
    update ${schema}.site s
    set portfolio_id = $8::uuid, updated_at = $2::timestamptz, version = s.version + 1
    from locked l
    where s.organisation_id = $1::uuid and s.id = l.id and l.before is distinct from $8::uuid
      and (select count(*) from locked) = cardinality($9::uuid[])
    returning s.*, l.before
  ), ${siteEvent(
    "site.updated",
    "json_build_object('portfolioId', json_build_object('from', c.before, 'to', $8::uuid))"
  )}
  select ${siteColumns} from changed s
  union all
  select ${siteColumns} from ${schema}.site s
  where s.organisation_id = $1::uuid and s.id in (select l.id from locked l where l.before = $8::uuid)`

export const findKey = `
  select k.organisation_id as "organisationId", k.id as "apiKeyId", k.prefix as "keyPrefix", k.created_by as "userId",
         k.expires_at as "expiresAt", o.status
  from ${schema}.api_key k join ${schema}.organisation o on o.id = k.organisation_id where k.digest = $1`

export const me = `
  select o.id as "organisationId", o.name as "organisationName", o.status, k.id, k.name, k.prefix,
         k.created_by as "createdBy", k.created_at as "createdAt", k.expires_at as "expiresAt",
         k.last_used_at as "lastUsedAt", k.scopes, k.portfolio_ids as "portfolioIds"
  from ${schema}.api_key k join ${schema}.organisation o on o.id = k.organisation_id
  where k.organisation_id = $1 and k.id = $2`
