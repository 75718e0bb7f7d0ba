/**
 * The tables `webhook` and `webhook_delivery`.
 */
import { type Webhook, WebhookDelivery, WebhookDeliveryRecord, WebhookRecord, WebhookSigning } from "@solar-sites/core"
import { DateTime, Redacted } from "effect"
import { type PgText, sql, table } from "../client/PgText.ts"
import { bigint, boolean, type Column, composed, instant, integer, json, nullable, text, uuid } from "./Column.ts"
import { makeTable, type Row } from "./Table.ts"

const delivery = {
  id: uuid("id"),
  eventId: uuid("event_id"),
  type: text("type"),
  attempt: integer("attempt"),
  status: text("status"),
  responseStatus: nullable(integer("response_status")),
  error: nullable(text("error")),
  at: instant("at"),
  nextAttemptAt: nullable(instant("next_attempt_at"))
}

export const deliveryTable = makeTable(WebhookDelivery, [], delivery)

export const deliveryRecordTable = makeTable(WebhookDeliveryRecord, ["organisationId"], {
  ...delivery,
  webhookId: uuid("webhook_id"),
  eventSequence: nullable(bigint("event_sequence")),
  createdAt: instant("created_at"),
  claimedUntil: nullable(instant("claimed_until"))
})

export type DeliveryRow = Row<WebhookDelivery>

/** The delivery of the latest attempt, as `withLast` selects it. */
const lastDelivery: Column<WebhookDelivery | null> = {
  ...composed((row) => `${row}.last_delivery`),
  toJson: (value) => `coalesce(${value}, 'null')`,
  decoder: () => {
    const read = deliveryTable.reader({})
    // The join makes the JSON a row of this table.
    return (row) => (row === null ? null : read(row as DeliveryRow))
  }
}

/** SQL of webhooks, with their revisions and the JSON of their last delivery. */
export const withLast: PgText = sql`(
  select w.xmin, w.*, (
    select ${deliveryTable.row("d")} from ${table("webhook_delivery")} d
    where d.organisation_id = w.organisation_id and d.webhook_id = w.id
    order by d.at desc limit 1
  ) as last_delivery
  from ${table("webhook")} w
)`

const shown = {
  id: uuid("id"),
  url: text("url"),
  // Input was checked against the schema before it was stored.
  events: json("events", (stored) => stored as Webhook["events"]),
  description: nullable(text("description")),
  enabled: boolean("enabled"),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
  version: integer("version"),
  lastDelivery
}

type Secrets = WebhookRecord["secrets"]

/** Secrets in their stored form; `until` is in milliseconds. */
export type StoredSecrets = ReadonlyArray<{ readonly secret: string; readonly until: number | null }>

export const readSecrets = (stored: StoredSecrets): Secrets =>
  stored.map(({ secret, until }) => ({
    secret: WebhookSigning.fromText(secret),
    until: until === null ? null : DateTime.makeUnsafe(until)
  }))

const secrets: Column<Secrets> = {
  // `encode` has written them.
  ...json("secrets", (stored) => readSecrets(stored as StoredSecrets)),
  encode: (all): StoredSecrets =>
    all.map(({ secret, until }) => ({ secret: Redacted.value(secret), until: until?.epochMilliseconds ?? null }))
}

/** Its rows are those of `withLast`. */
export const webhookRecordTable = makeTable(WebhookRecord, ["organisationId"], {
  ...shown,
  secrets,
  dispatchedSequence: bigint("dispatched_sequence"),
  failingSince: nullable(instant("failing_since")),
  claimedAt: nullable(instant("claimed_at"))
})
