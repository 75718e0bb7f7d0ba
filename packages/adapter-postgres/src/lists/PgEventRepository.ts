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
import { idsReached, isReachedEvent } from "./EventsReached.ts"
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
  const within = limits === null ? "" : parameter(limits, "text")

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
  if (limits !== null && isOfOne) all.push(isReachedEvent(within))
  const branches = alternatives.reduce<ReadonlyArray<ReadonlyArray<PgText | string>>>(
    (found, conditions) => found.flatMap((branch) => conditions.map((condition) => [...branch, condition])),
    [all]
  )

  const textLimit = textLimits.find((known) => limit < known)
  const ordered = (row: string) =>
    `order by ${row}.sequence ${order} ${textLimit === undefined ? "" : `limit ${textLimit}`}`
  const types = type === undefined ? null : parameter(`{${eventTypesIn(type).join(",")}}`, "text::text[]")
  /** The sequences of the events of each part of a reach, in order: most conditions need the index alone. */
  const selectReached = (conditions: ReadonlyArray<PgText | string>): PgText => {
    const ofTypes = types === null ? [] : [`e.type = any (${types})`]
    const select = (condition: string) => sql`
      (select e.sequence from reached r cross join lateral (
         select e.sequence from ${table("event")} e
         where ${joined(["e.organisation_id = $1::uuid", condition, ...ofTypes, ...conditions], " and ")} ${ordered("e")}
       ) e ${ordered("e")})`
    return sql`${select("e.subject_id = r.id")} union all ${select("e.site_id = r.id and e.site_id <> e.subject_id")}`
  }
  const select = (conditions: ReadonlyArray<PgText | string>): PgText => {
    const rows = sql`select e.* from ${table("event")} e
      where ${joined(["e.organisation_id = $1::uuid", ...conditions], " and ")}`
    return types === null
      ? sql`(${rows} ${ordered("e")})`
      : sql`(select e.* from unnest(${types}) as t (type) cross join lateral (
           ${rows} and e.type = t.type ${ordered("e")}
         ) e ${ordered("e")})`
  }
  const page = (selects: ReadonlyArray<PgText | string>, limit: string) =>
    sql`select * from (${joined(selects, " union all ")}) y order by y.sequence ${order} limit ${limit}`
  const whole = page(branches.map(select), "$2::int")
  const bound = parameter(bytes, "bigint")
  if (limits === null || isOfOne) return { text: boundedPageText(eventTable, whole, bound), parameters }
  // The server takes an array for few rows, and then compiles nothing, which takes longer than all else.
  // A reader mostly is at the end of the log: the next page of the organisation then has all that follow. Otherwise the
  // events of each part of the reach are merged, so that no further ones outside are read.
  const text = sql`
    with near as materialized (select e.sequence, ${isReachedEvent(within)} as is_within from (${whole}) e),
    judged as materialized (
      select count(*) < $2::int or count(*) filter (where is_within) = $2::int as is_whole from near
    ),
    reached as materialized (
      select r.id
      from unnest(array(select i.id from (${idsReached(within)}) i where not (select is_whole from judged))) as r (id)
    )
    ${mainQuery} ${boundedPageText(
      eventTable,
      sql`select e.* from (${page(
        [
          "select n.sequence from near n where n.is_within and (select is_whole from judged)",
          ...branches.map(selectReached)
        ],
        "$2::int"
      )}) f cross join lateral (
        select e.* from ${table("event")} e where e.organisation_id = $1::uuid and e.sequence = f.sequence offset 0
      ) e order by e.sequence ${order}`,
      bound
    )}`
  return { text, parameters }
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
