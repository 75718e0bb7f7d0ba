/**
 * The tables `webhook` and `webhook_delivery`.
 */
import { Webhook, WebhookDelivery, WebhookSigning } from "@solar-sites/core"
import { type Column, instant, integer, nullable, text, uuid } from "./Column.ts"
import { makeTable, type Row } from "./Table.ts"

/** A boolean, or an array of strings, as JSON. */
const json = <Value>(name: string, inputType: "boolean" | "jsonb"): Column<Value> => ({
  name,
  value: (row) => `${row}.${name}`,
  toJson: (value) => `to_json(${value})`,
  decoder: null,
  rewriter: () => (value) => JSON.stringify(JSON.parse(value)),
  encode: (value) => value,
  inputType,
  fromInput: (input) => input
})

const shown = {
  events: json<Webhook["events"]>("events", "jsonb"),
  description: nullable(text("description")),
  enabled: json<boolean>("enabled", "boolean")
}

export const webhookTable = makeTable(Webhook, ["lastDelivery"], {
  id: uuid("id"),
  url: text("url"),
  ...shown,
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
  version: integer("version")
})

type WebhookRow = Row<Webhook>

/** SQL of an address without query and fragment. */
const shownUrl = (row: string): string => `regexp_replace(${row}.url, '[?#].*$', '')`

/** The members that events show. */
const inEvents = makeTable(Webhook, ["id", "createdAt", "updatedAt", "version", "lastDelivery"], {
  url: { ...text("url"), value: shownUrl },
  ...shown
})

/** SQL of an event about a change of a webhook: its rows before and after, null for none. */
export const webhookEvent = (before: string | null, after: string | null) => {
  const row = `${after ?? before}`
  return {
    subjectId: `${row}.id`,
    subjectName: shownUrl(row),
    siteId: "null::uuid",
    changes: inEvents.changes(["url", "events", "description", "enabled"], before, after)
  }
}

export const deliveryTable = makeTable(WebhookDelivery, [], {
  id: uuid("id"),
  eventId: uuid("event_id"),
  type: text("type"),
  attempt: integer("attempt"),
  status: text("status"),
  responseStatus: nullable(integer("response_status")),
  error: nullable(text("error")),
  at: instant("at"),
  nextAttemptAt: nullable(instant("next_attempt_at"))
})

export type DeliveryRow = Row<WebhookDelivery>

/** SQL of an expression `last` with the delivery of the latest attempt of a webhook; no row without one. */
const lastDelivery = (schema: string, webhook: string): string => `(
  select ${deliveryTable.row("d")}::json from ${schema}.webhook_delivery d
  where d.organisation_id = ${webhook}.organisation_id and d.webhook_id = ${webhook}.id
  order by d.at desc limit 1
)`

/** SQL of a webhook with its last delivery, as JSON for `readWebhook`. */
export const webhookJson = (schema: string, webhook: string): string =>
  `json_build_array(${webhookTable.row(webhook)}::json, ${lastDelivery(schema, webhook)})`

export type WebhookJson = readonly [webhook: WebhookRow, lastDelivery: DeliveryRow | null]

const readDelivery = deliveryTable.reader({})

export const readWebhook = ([webhook, last]: WebhookJson): Webhook =>
  webhookTable.reader({ lastDelivery: last === null ? null : readDelivery(last) })(webhook)

/** A stored secret. It signs until `until`, in milliseconds; without end when that is null. */
export interface StoredSecret {
  readonly secret: string
  readonly until: number | null
}

/** The secrets that sign at an instant, in milliseconds. */
export const signingSecrets = (stored: ReadonlyArray<StoredSecret>, at: number) =>
  stored.filter(({ until }) => until === null || until > at).map(({ secret }) => WebhookSigning.fromText(secret))
