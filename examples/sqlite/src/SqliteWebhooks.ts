/**
 * `WebhookQueue` on SQLite.
 */
import {
  type DueWebhook,
  type EventRepository,
  type OrganisationId,
  type Records,
  WebhookQueue,
  webhookDelivering
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqliteDatabase } from "./SqliteDatabase.ts"

const pendingOf = (webhook: string): string => `
  select * from record d where d.organisation_id = ${webhook}.organisation_id and d.kind = 'webhook_delivery'
    and d.json ->> '$.webhookId' = ${webhook}.id and d.json ->> '$.status' = 'pending'`

export const layer: Layer.Layer<WebhookQueue, never, SqliteDatabase | Records | EventRepository> = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const { step } = yield* SqliteDatabase

    return WebhookQueue.of({
      ...(yield* webhookDelivering),
      findUndispatched: (limit) =>
        step("WebhookQueue.findUndispatched", ({ all }) =>
          all(
            `select distinct organisation_id as id from record join last_event using (organisation_id)
             where kind = 'webhook' and json ->> '$.enabled' and json ->> '$.dispatchedSequence' < sequence limit ?`,
            limit
            // The column has ids of organisations.
          ).map(({ id }) => id as OrganisationId)
        ),

      findDue: ({ limit, now }) =>
        step("WebhookQueue.findDue", ({ all }) =>
          all(
            `select organisation_id, id from record w
             where kind = 'webhook' and exists (${pendingOf("w")} and d.json ->> '$.nextAttemptAt' <= ?)
             order by coalesce(json ->> '$.claimedAt', ''), id limit ?`,
            DateTime.formatIso(now),
            limit
            // The columns have these ids.
          ).map(({ id, organisation_id }) => ({ organisationId: organisation_id, webhookId: id }) as DueWebhook)
        ),

      oldestPending: step("WebhookQueue.oldestPending", ({ first }) => {
        const oldest = first(
          `select min(d.json ->> '$.createdAt') as at from record w join record d
             on d.organisation_id = w.organisation_id and d.kind = 'webhook_delivery'
               and d.json ->> '$.webhookId' = w.id and d.json ->> '$.status' = 'pending'
           where w.kind = 'webhook' and w.json ->> '$.enabled'`
        )?.["at"]
        return oldest == null ? Option.none() : Option.some(DateTime.makeUnsafe(String(oldest)))
      }),

      findOrganisations: ({ after, limit }) =>
        step("WebhookQueue.findOrganisations", ({ all }) =>
          all(
            `select distinct organisation_id as id from record
             where kind = 'webhook' and organisation_id > ? order by 1 limit ?`,
            after ?? "",
            limit
            // The column has ids of organisations.
          ).map(({ id }) => id as OrganisationId)
        )
    })
  })
)
