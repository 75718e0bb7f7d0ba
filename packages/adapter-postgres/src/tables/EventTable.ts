/**
 * The table `event`.
 */
import { Event, type EventActor } from "@solar-sites/core"
import { bigint, composed, instant, nullable, text, uuid } from "./Column.ts"
import { makeTable } from "./Table.ts"

const orNull = (value: string): string => `coalesce(to_json(${value})::text, 'null')`

/** `changes` are JSON as Postgres writes it, with numbers such as `1.50`. */
const rewritten = (): ((value: string) => string) => (value) => JSON.stringify(JSON.parse(value))

export const eventTable = makeTable(Event, [], {
  id: uuid("id"),
  sequence: bigint("sequence"),
  type: text("type"),
  occurredAt: instant("occurred_at"),
  actor: composed<EventActor>(
    (row) =>
      `('{"userId":' || ${orNull(`${row}.user_id`)} || ',"apiKeyId":' || ${orNull(`${row}.api_key_id`)}
        || ',"keyPrefix":' || ${orNull(`${row}.key_prefix`)} || '}')`
  ),
  subject: composed<Event["subject"]>(
    (row) =>
      `('{"type":' || to_json(split_part(${row}.type, '.', 1)) || ',"id":"' || ${row}.subject_id
        || '","name":' || ${orNull(`${row}.subject_name`)} || '}')`
  ),
  siteId: nullable(uuid("site_id")),
  changes: { ...composed<Event["changes"]>((row) => `${row}.changes::text`), rewriter: rewritten },
  requestId: nullable(text("request_id"))
})
