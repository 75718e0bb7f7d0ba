/**
 * Totals of an organisation: those that the first page of the console shows, and number and size of the stored files,
 * as the company profile shows them.
 */
import { mainQuery, PgClient, type PgText, sql, statement, table } from "@solar-sites/adapter-postgres"
import { type DocumentStatus, type OrganisationId, type PortfolioLimit, statesWithFile } from "@solar-sites/core"
import { Clock, Effect } from "effect"
import type { Overview, Use } from "../../console/contract/OrganisationApi.ts"
import { makeCommands } from "../Commands.ts"
import { isSeenBy } from "../people/Authority.ts"
import { listUsers } from "../people/Users.ts"
import { instant } from "../SqlValues.ts"
import type { Session } from "../sessions/Sessions.ts"

type OverviewDocument = typeof Overview.Type

const shownPortfolios = 8

// No index has the state: each document is read.
const maximumCounted = 100_000

const states: ReadonlyArray<DocumentStatus> = ["pending", "uploaded", "approved", "completed", "failed"]

/**
 * The totals, of the portfolios that the caller is limited to if there are any. Keys and users are counted elsewhere:
 * Citus holds them on other nodes, and a limit of theirs can name deleted portfolios.
 */
const readText = (organisationId: string, portfolioIds?: string): PgText => {
  const within = (column: string, orNone = "") =>
    portfolioIds === undefined ? "true" : `(${orNone}${column} = any(${portfolioIds}::text::uuid[]))`
  // No documents of other sites are read for a limited caller.
  const documents =
    portfolioIds !== undefined
      ? sql`select d.status from ${table("site")} s
        join ${table("document")} d on d.organisation_id = s.organisation_id and d.site_id = s.id
        where s.organisation_id = ${organisationId}::uuid and ${within("s.portfolio_id")} limit ${maximumCounted}`
      : sql`select status from ${table("document")} where organisation_id = ${organisationId}::uuid
        order by id desc limit ${maximumCounted}`
  return sql`
    with held as materialized (
      select portfolio_id, count(*) as sites, sum(capacity_kw) as kw
      from ${table("site")} where organisation_id = ${organisationId}::uuid and ${within("portfolio_id")} group by portfolio_id
    ), largest as (
      select p.id, p.name, h.sites, h.kw
      from held h join ${table("portfolio")} p on p.organisation_id = ${organisationId}::uuid and p.id = h.portfolio_id
      order by h.kw desc, p.id limit ${shownPortfolios}
    ), counted as (
      select d.status, count(*) as documents from (${documents}) d group by d.status
    )
    ${mainQuery} select json_build_object(
      'siteCount', (select coalesce(sum(sites), 0) from held),
      'capacityKw', (select coalesce(sum(kw), 0) from held),
      'portfolios', (
        select coalesce(json_agg(json_build_object(
          'id', l.id, 'name', l.name, 'siteCount', l.sites, 'capacityKw', l.kw
        ) order by l.kw desc, l.id), '[]') from largest l
      ),
      'otherPortfolios', (select greatest(count(portfolio_id) - ${shownPortfolios}, 0) from held),
      'withoutPortfolio', json_build_object(
        'siteCount', (select coalesce(sum(sites), 0) from held where portfolio_id is null),
        'capacityKw', (select coalesce(sum(kw), 0) from held where portfolio_id is null)
      ),
      'documents', json_build_object(${states
        .map((state) => `'${state}', (select coalesce(sum(documents), 0) from counted where status = '${state}')`)
        .join(", ")}),
      'requirements', (
        select count(*) from ${table("requirement")}
        where organisation_id = ${organisationId}::uuid and ${within("portfolio_id", "portfolio_id is null or ")}
      )
    )::text`
}

type Totals = Omit<OverviewDocument, "apiKeys" | "users">

const repeatable = { repeatable: true }

/** Counts the records that are there for the user. */
export const organisationOverview = Effect.gen(function* () {
  const client = yield* PgClient
  const { presentLimits } = yield* makeCommands
  const list = yield* listUsers

  const readAll = statement<Totals, { organisationId: OrganisationId }>(
    client,
    "OrganisationOverview.read",
    ({ organisationId }) => readText(organisationId),
    repeatable
  )

  const readWithin = statement<Totals, { organisationId: OrganisationId; portfolioIds: string }>(
    client,
    "OrganisationOverview.readWithin",
    ({ organisationId, portfolioIds }) => readText(organisationId, portfolioIds),
    repeatable
  )

  /** The limits of live keys. */
  const keyLimits = statement<ReadonlyArray<PortfolioLimit>, { organisationId: OrganisationId; now: number }>(
    client,
    "OrganisationOverview.keys",
    ({ now, organisationId }) => sql`
      select coalesce(json_agg(k.portfolio_ids), '[]')::text from ${table("api_key")} k
      where k.organisation_id = ${organisationId}::uuid and k.expires_at > ${instant(now)}`,
    repeatable
  )

  return Effect.fnUntraced(function* (user: Session["user"]) {
    const { organisationId: id, portfolioIds } = user
    const reading =
      portfolioIds === null
        ? readAll({ organisationId: id })
        : readWithin({ organisationId: id, portfolioIds: `{${portfolioIds.join()}}` }, portfolioIds)
    const totals = yield* Effect.flatMap(reading, Effect.fromNullishOr).pipe(Effect.orDie)
    const limits = (yield* keyLimits({ organisationId: id, now: yield* Clock.currentTimeMillis })) ?? []
    const present = portfolioIds === null ? limits : yield* presentLimits(id, limits)
    const apiKeys = present.filter((limit) => isSeenBy(user, { portfolioIds: limit })).length
    return { ...totals, apiKeys, users: (yield* list(user)).length }
  })
})

type UseDocument = typeof Use.Type

// They bound the work for large organisations: sizes are read from rows, counts from an index.
const maximumFiles = 1_000_000
const maximumMeasured = 100_000

/** Null without an answer. The counted subquery has a column, since Citus materialises it. */
export const organisationUse = Effect.map(PgClient, (client) =>
  statement<UseDocument, { organisationId: OrganisationId }>(
    client,
    "OrganisationUse.read",
    ({ organisationId }) => sql`with measured as (
         select count(*) as documents, coalesce(sum(d.size_bytes) filter (where d.is_stored), 0) as bytes
         from (
           select size_bytes, status in ('${statesWithFile.join("', '")}') as is_stored
           from ${table("document")} where organisation_id = ${organisationId}::uuid
           order by id limit ${maximumMeasured}
         ) d
       )
       ${mainQuery} select json_build_object(
         'documents', (select count(*) from (
           select 1 from ${table("document")}
           where organisation_id = ${organisationId}::uuid limit ${maximumFiles + 1}
         ) x),
         'measuredDocuments', m.documents,
         'bytes', m.bytes
       )::text from measured m`,
    { repeatable: true }
  )
)
