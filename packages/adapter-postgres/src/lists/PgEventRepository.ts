/**
 * Reads the table `event` by keyset: every filter alone follows an index in the order of the page.
 */
import {
  allConditionsRead,
  type EventConditions,
  type EventPageRequest,
  EventRepository,
  eventTypesIn,
  MaximumPageBytes,
  type OrganisationId,
  type Reach,
  reachParts
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { listingAcross, textOf, writing } from "../client/PgJsonStatement.ts"
import type { PgParameter } from "../client/PgStatement.ts"
import { joined, mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { ownersIn } from "../queues/Owners.ts"
import { eventTable } from "../tables/EventTable.ts"
import { boundedPageText, pageFromText } from "../tables/PageText.ts"
import { instant, lowestUuid, toMilliseconds } from "../tables/SqlValues.ts"
import { reachParameter } from "./PgConditions.ts"

/** As in `PgPages`: limits that stand in the text of the statement. */
const textLimits = [101, 1_001]

const isUuid = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/**
 * SQL of the lowest sequence from which on events occurred at the instant or later: a binary search
 * by the primary key, since `occurred_at` ascends with the sequence. It spares an index.
 */
const sequenceAt = (milliseconds: string): PgText => sql`(
  with recursive search (low, high) as (
    select 0::bigint, q.last + 1 from ${table("event_sequence")} q where q.organisation_id = $1::uuid
    union all
    select case when m.reached then s.low else m.middle end, case when m.reached then m.middle else s.high end
    from search s cross join lateral (
      select (s.low + s.high) / 2 as middle, coalesce((
        select e.occurred_at >= ${instant(milliseconds)} from ${table("event")} e
        where e.organisation_id = $1::uuid and e.sequence >= (s.low + s.high) / 2
        order by e.sequence limit 1
      ), true) as reached
    ) m
    where s.high - s.low > 1
  )
  select min(high) from search
)`

/**
 * SQL of the ids of portfolios and sites within a reach, given as the parameter. A deleted site is in the portfolio
 * that it had when it was deleted. A repeated request can create it once more.
 */
const idsReached = (reach: string): PgText => sql`
  select r.id from unnest(${reach}::uuid[]) as r (id)
  union all
  select s.id from ${table("site")} s
  where s.organisation_id = $1::uuid and s.portfolio_id = any (${reach}::uuid[])
  union all
  select d.subject_id from ${table("event")} d
  where d.organisation_id = $1::uuid and d.type = 'site.deleted'
    and d.changes #>> '{portfolioId,from}' = any (${reach}::text[])
    and not exists (select from ${table("site")} s where s.organisation_id = $1::uuid and s.id = d.subject_id)
    and not exists (
      select from ${table("event")} l
      where l.organisation_id = $1::uuid and l.subject_id = d.subject_id and l.type = d.type and l.sequence > d.sequence
    )`

/** The statement of a page and its parameters. Each combination of conditions has a text of its own. */
const pageStatement = (
  reach: Reach,
  { actorId, from, siteId, subjectId, to, type, ...rest }: EventConditions,
  { after, limit, order }: EventPageRequest,
  bytes: number
): { readonly text: PgText; readonly parameters: ReadonlyArray<PgParameter> } => {
  allConditionsRead(rest)
  const parameters: Array<PgParameter> = [reachParts(reach).organisationId, limit + 1]
  const parameter = (value: PgParameter, sqlType: string): string => `$${parameters.push(value)}::${sqlType}`

  const limits = reachParameter(reach)
  const isOfOne = subjectId !== undefined || siteId !== undefined
  const reached =
    limits === null ? "" : sql`with reached as materialized (${idsReached(parameter(limits, "text"))}) ${mainQuery}`

  const all: Array<PgText | string> = []
  if (after !== null) all.push(`e.sequence ${order === "asc" ? ">" : "<"} ${parameter(after, "bigint")}`)
  if (from !== undefined) {
    const since = parameter(toMilliseconds(from), "float8")
    all.push(sql`e.sequence >= ${sequenceAt(since)} and e.occurred_at >= ${instant(since)}`)
  }
  if (to !== undefined) {
    const until = parameter(toMilliseconds(to), "float8")
    all.push(sql`e.sequence < ${sequenceAt(until)} and e.occurred_at < ${instant(until)}`)
  }
  if (subjectId !== undefined) all.push(`e.subject_id = ${parameter(subjectId, "uuid")}`)

  // Alternatives exclude each other, and each has an index.
  const alternatives: Array<ReadonlyArray<string>> = []
  if (siteId !== undefined) {
    const site = parameter(siteId, "uuid")
    alternatives.push([
      `e.subject_id = ${site} and e.site_id = ${site}`,
      `e.site_id = ${site} and e.site_id <> e.subject_id`
    ])
  }
  if (actorId !== undefined) {
    const user = parameter(actorId, "text")
    const key = isUuid(actorId)
      ? [`e.api_key_id = ${parameter(actorId, "uuid")} and e.user_id is distinct from ${user}`]
      : []
    alternatives.push([`e.user_id = ${user}`, ...key])
  }
  if (limits !== null && isOfOne)
    all.push("(e.site_id in (select id from reached) or e.subject_id in (select id from reached))")
  const branches = alternatives.reduce<ReadonlyArray<ReadonlyArray<PgText | string>>>(
    (found, conditions) => found.flatMap((branch) => conditions.map((condition) => [...branch, condition])),
    [all]
  )

  const textLimit = textLimits.find((known) => limit < known)
  const ordered = (row: string) =>
    `order by ${row}.sequence ${order} ${textLimit === undefined ? "" : `limit ${textLimit}`}`
  const types = type === undefined ? null : parameter(`{${eventTypesIn(type).join(",")}}`, "text::text[]")
  /** The events of each part of a reach, in order. */
  const selectReached = (conditions: ReadonlyArray<PgText | string>): PgText => {
    const ofTypes = types === null ? [] : [`e.type = any (${types})`]
    const select = (condition: string) => sql`
      (select e.* from reached r cross join lateral (
         select e.* from ${table("event")} e
         where ${joined(["e.organisation_id = $1::uuid", condition, ...ofTypes, ...conditions], " and ")} ${ordered("e")}
       ) e ${ordered("e")})`
    return sql`${select("e.subject_id = r.id")} union all ${select("e.site_id = r.id and e.site_id <> e.subject_id")}`
  }
  const select = (conditions: ReadonlyArray<PgText | string>): PgText => {
    if (limits !== null && !isOfOne) return selectReached(conditions)
    const rows = sql`select e.* from ${table("event")} e
      where ${joined(["e.organisation_id = $1::uuid", ...conditions], " and ")}`
    return types === null
      ? sql`(${rows} ${ordered("e")})`
      : sql`(select e.* from unnest(${types}) as t (type) cross join lateral (
           ${rows} and e.type = t.type ${ordered("e")}
         ) e ${ordered("e")})`
  }
  const rows = sql`select * from (${joined(branches.map(select), " union all ")}) y order by y.sequence ${order} limit $2::int`
  return { text: sql`${reached} ${boundedPageText(eventTable, rows, parameter(bytes, "bigint"))}`, parameters }
}

/** The expression `removed`: deletes the first events of the organisation that meet the condition. */
const removed = (condition: string, limit: string): PgText => sql`removed as (
  delete from ${table("event")} e
  where e.organisation_id = $1::uuid and ${condition} and e.sequence in (
    select o.sequence from ${table("event")} o where o.organisation_id = $1::uuid order by o.sequence limit ${limit}::int
  )
  returning 1
)`

export const layer: Layer.Layer<EventRepository, never, PgClient> = Layer.effect(
  EventRepository,
  Effect.map(PgClient, (client) => {
    const { run } = client
    const purge = writing<number>(
      client,
      "EventRepository.purge",
      sql`with ${removed(`e.occurred_at < ${instant("$2")}`, "$3")}
       ${mainQuery} select count(*)::text from removed`
    )

    // Two look-ups in primary keys per organisation, until the limit is reached.
    const findOrganisations = listingAcross<OrganisationId>(
      client,
      "EventRepository.findOrganisations",
      sql`with recursive ${ownersIn("owner", table("event_sequence"), "organisation_id", "$2::uuid")}
       ${mainQuery} select '0', to_json(o.organisation_id)::text from owner o cross join lateral (
         select e.occurred_at from ${table("event")} e
         where e.organisation_id = o.organisation_id order by e.sequence limit 1
       ) oldest
       where oldest.occurred_at < ${instant("$3")}
       limit $1::int`
    )

    const deleteAll = writing<number>(
      client,
      "EventRepository.deleteAll",
      sql`with ${removed("true", "$2")}, ended as (
         delete from ${table("event_sequence")} q
         where q.organisation_id = $1::uuid and (select count(*) from removed) < $2::int
       )
       ${mainQuery} select count(*)::text from removed`
    )

    return EventRepository.of({
      list: (reach, conditions, page) =>
        Effect.flatMap(MaximumPageBytes, (bytes) => {
          const scope = reachParts(reach)
          const { parameters, text } = pageStatement(reach, conditions, page, bytes)
          const statement = { operation: "EventRepository.list", text, parameters, readOnly: true }
          return Effect.map(run({ ...statement, scope }), (rows) =>
            pageFromText(textOf(rows), { table: eventTable, given: {}, limit: page.limit })
          )
        }),
      purge: (organisationId, { before, limit }) =>
        Effect.map(purge(organisationId, toMilliseconds(before), limit), (removed) => removed ?? 0),
      findOrganisations: ({ after, before, limit }) =>
        findOrganisations(limit, after ?? lowestUuid, toMilliseconds(before)),
      deleteAll: (organisationId, { limit }) => Effect.map(deleteAll(organisationId, limit), (removed) => removed ?? 0)
    })
  })
)
