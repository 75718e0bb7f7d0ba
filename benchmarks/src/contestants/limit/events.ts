/**
 * SQL that writes the events of a statement, as its last common table expressions.
 */
import { v7 } from "uuid"
import type { Origin } from "../common/events.ts"
import { settings } from "../common/settings.ts"

const schema = `"${settings.schema}"`

/** The first seven parameters of a statement with `writeEvents`; `$1` is the organisation, `$2` the instant. */
export const originParameters = ({ apiKeyId, at, keyPrefix, organisationId, requestId, userId }: Origin) => [
  organisationId,
  at,
  userId,
  apiKeyId,
  keyPrefix,
  requestId,
  v7()
]

/** SQL of the members of an event, over the row `c` of `changed`. */
interface EventSql {
  readonly type: string
  readonly name: string
  readonly siteId: string
  readonly changes: string
}

/**
 * An event for each row of the expression `changed`. The row of `event_sequence` stays locked until the
 * commit, so that the sequences follow the order of commits.
 */
export const writeEvents = ({ changes, name, siteId, type }: EventSql): string => `
  numbered as (
    insert into ${schema}.event_sequence as q (organisation_id, last, occurred_at)
    select $1::uuid, count(*), $2::timestamptz from changed having count(*) > 0
    on conflict (organisation_id) do update
    set last = q.last + excluded.last, occurred_at = greatest(q.occurred_at, excluded.occurred_at)
    returning q.last, q.occurred_at
  ), written as (
    insert into ${schema}.event (
      organisation_id, sequence, id, type, occurred_at, user_id, api_key_id, key_prefix, subject_id, subject_name,
      site_id, changes, request_id
    )
    select $1::uuid, q.last - count(*) over () + row_number() over (order by c.id),
           (left($7::text, 28) || lpad(to_hex(row_number() over (order by c.id)), 8, '0'))::uuid, '${type}',
           q.occurred_at, $3::text, $4::uuid, $5::text, c.id, ${name}, ${siteId}, ${changes}, $6::text
    from changed c cross join numbered q
  )`
