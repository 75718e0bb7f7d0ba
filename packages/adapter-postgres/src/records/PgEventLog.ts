/**
 * SQL that writes events, as common table expressions of the statement that makes the change.
 *
 * Numbers are taken by a lock on the row of the organisation in `event_sequence`, which is held
 * until the commit. So sequences follow the order of commits, and no reader sees an event before
 * all earlier ones. The lock is the last one of every statement: what a foreign key locks at the
 * end of a statement is locked before. So it takes part in no deadlock (docs/decisions/0027).
 *
 * Applications that keep own tables in the schema write events of them in the same way.
 */
import { type EventOrigin, type EventType, eventOrigins, type OrganisationId } from "@solar-sites/core"
import { Effect } from "effect"
import { joined, type PgText, sql, table } from "../client/PgText.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"

/** The columns of an origin, for `json_to_record` and its like. */
const originTypes =
  "event_id uuid, event_at float8, event_user text, event_key uuid, event_prefix text, event_request text"

const originNames = (row: string): string =>
  originTypes
    .split(", ")
    .map((column) => `${row}.${column.split(" ")[0]}`)
    .join(", ")

/** The values of `originTypes`, as members of a JSON object. */
export const originMembers = ({ actor, id, occurredAt, requestId }: EventOrigin) => ({
  event_id: id,
  event_at: toMilliseconds(occurredAt),
  event_user: actor.userId,
  event_key: actor.apiKeyId,
  event_prefix: actor.keyPrefix,
  event_request: requestId
})

/** The origin as JSON text, for `originFrom`. */
export const originParameter = (origin: EventOrigin): string => JSON.stringify(originMembers(origin))

/** Makes the origin of a change in an organisation as JSON text, for `originFrom`. Its actor is the current caller. */
export const originParameters: Effect.Effect<(organisationId: OrganisationId) => Effect.Effect<string>> = Effect.map(
  eventOrigins,
  (originOf) => (organisationId) => Effect.map(originOf(organisationId), originParameter)
)

/** SQL of a row with `originTypes` from a parameter such as `$4`. */
export const originFrom = (parameter: string, row: string): string =>
  `json_to_record(${parameter}::text::json) as ${row} (${originTypes})`

/** Selects the events of one type. All members are SQL over the rows of `from`. */
export interface EventSelect {
  /** A type, or SQL of one. */
  readonly type: EventType | { readonly sql: string }
  /** Rows of changed records, and of an origin. */
  readonly from: PgText | string
  /** The alias of the origin in `from`. */
  readonly origin: string
  readonly subjectId: string
  readonly subjectName: string
  readonly siteId: string
  /** The changes as JSON text. */
  readonly changes: PgText | string
  /** Number of the event among those of its origin, from 1. Default: 1. */
  readonly number?: string
}

const select = ({
  changes,
  from,
  number = "1",
  origin,
  siteId,
  subjectId,
  subjectName,
  type
}: EventSelect): PgText => sql`
  select ${originNames(origin)}, ${number} as number, ${typeof type === "string" ? `'${type}'` : type.sql} as type, ${subjectId} as subject_id,
         ${subjectName} as subject_name, ${siteId} as site_id, (${changes})::json as changes
  from ${from}`

/**
 * The expressions `event_row`, `event_last` and `event_written`, to be appended to a `with` clause.
 * Without rows of `events` nothing is locked or written. `from` must refer to all expressions of
 * the statement that lock or change rows. The first parameter of the statement is the organisation.
 * `event_last` has the new last sequence, or no row. The result of the statement needs `writtenTypes`
 * as its second column.
 */
export const writeEvents = (...events: ReadonlyArray<EventSelect>): PgText => sql`
  event_row as materialized (${joined(events.map(select), " union all ")}),
  event_last as (
    insert into ${table("event_sequence")} as q (organisation_id, last, occurred_at)
    select $1::uuid, count(*), ${instant("max(r.event_at)")} from event_row r having count(*) > 0
    on conflict (organisation_id) do update
    set last = q.last + excluded.last,
        occurred_at = case when q.occurred_at < excluded.occurred_at + interval '1 hour'
          then greatest(q.occurred_at, excluded.occurred_at) else excluded.occurred_at end
    returning q.last, q.occurred_at
  ), event_written as (
    insert into ${table("event")} (
      organisation_id, sequence, id, type, occurred_at, user_id, api_key_id, key_prefix, subject_id, subject_name,
      site_id, changes, request_id
    )
    select $1::uuid, l.last - (select count(*) from event_row) + row_number() over (order by r.event_id, r.number),
           (left(r.event_id::text, 28) || lpad(to_hex(r.number), 8, '0'))::uuid, r.type, l.occurred_at,
           r.event_user, r.event_key, r.event_prefix, r.subject_id, r.subject_name, r.site_id, r.changes,
           r.event_request
    from event_row r cross join event_last l
  )`

/**
 * The second column of the result of a statement with `writeEvents`: the types of its events, for the
 * metric of written events.
 */
export const writtenTypes = "(select string_agg(r.type, ',') from event_row r) as event_types"

const newEventTypes = `${originTypes}, number integer, type text, subject_id uuid, subject_name text,
  site_id uuid, changes json`

/** SQL that writes the events of a parameter, for the rows of `join`. */
export const eventsFrom = (parameter: string, join: string): PgText =>
  writeEvents({
    type: { sql: "o.type" },
    from: `json_to_recordset(${parameter}::text::json) as o (${newEventTypes}) ${join}`,
    origin: "o",
    number: "o.number",
    subjectId: "o.subject_id",
    subjectName: "o.subject_name",
    siteId: "o.site_id",
    changes: "o.changes::text"
  })
