/**
 * Claims of deliveries and the results of their attempts. Statements lock a webhook before its
 * deliveries.
 */
import { type Event, signingSecrets, type WebhookClaim, type WebhookQueue } from "@solar-sites/core"
import { type DateTime, Effect, Option } from "effect"
import { writing } from "../client/PgJsonStatement.ts"
import { mainChange, mainQuery, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { eventTable } from "../tables/EventTable.ts"
import { fromSeconds, instant, seconds, toMilliseconds } from "../tables/SqlValues.ts"
import type { Row } from "../tables/Table.ts"
import { type DeliveryRow, deliveryTable, readSecrets, type StoredSecrets } from "../tables/WebhookTable.ts"

interface ClaimRow {
  readonly url: string
  readonly secrets: StoredSecrets
  readonly deliveries: ReadonlyArray<{
    readonly delivery: DeliveryRow
    readonly event: Row<Event> | null
    readonly createdAt: number
  }>
}

/** Deliveries of a disabled webhook that fail in one step. */
const failedAtOnce = 1_000

const statements = (client: PgClient["Service"]) => {
  const webhook = sql`${table("webhook")} w where w.organisation_id = $1::uuid and w.id = $2::uuid`

  return {
    claim: writing<ClaimRow>(
      client,
      "WebhookQueue.claim",
      sql`with claimer as materialized (
         update ${table("webhook")} w set claimed_at = ${instant("$3")}
         where w.organisation_id = $1::uuid and w.id = $2::uuid
         returning w.id, w.url, w.secrets, w.enabled, w.failing_since
       ), due as materialized (
         select d.id from ${table("webhook_delivery")} d
         where d.organisation_id = $1::uuid and d.webhook_id = $2::uuid and d.status = 'pending'
           and d.next_attempt_at <= ${instant("$3")} and exists (select from claimer)
         order by d.next_attempt_at, d.id
         limit (select case when not c.enabled then ${failedAtOnce} when c.failing_since is null then $5::int else 1 end
                from claimer c)
         for no key update of d skip locked
       ), changed as (
         update ${table("webhook_delivery")} d
         set status = case when c.enabled then 'pending' else 'failed' end,
             error = case when c.enabled then d.error else 'The webhook is disabled.' end,
             next_attempt_at = case when c.enabled then ${instant("$4")} end,
             claimed_until = case when c.enabled then ${instant("$4")} end
         from claimer c
         where d.organisation_id = $1::uuid and d.webhook_id = $2::uuid and d.id = any (array(select l.id from due l))
         returning d.*
       )
       ${mainQuery} select json_build_object('url', c.url, 'secrets', c.secrets, 'deliveries', (
         select json_agg(json_build_object(
           'delivery', ${deliveryTable.row("d")}::json, 'createdAt', ${seconds("d.created_at")},
           'event', (select ${eventTable.row("e")}::json from ${table("event")} e
                     where e.organisation_id = $1::uuid and e.sequence = d.event_sequence)
         ) order by d.id) from changed d
       ))::text
       from claimer c where c.enabled and exists (select from changed)`
    ),

    settle: writing(
      client,
      "WebhookQueue.settle",
      sql`with locked as materialized (
         select w.* from ${webhook} for no key update
       ), settled as (
         update ${table("webhook_delivery")} d
         set status = $5::text, response_status = $6::int, error = $7::text, at = ${instant("$8")},
             attempt = d.attempt + 1, next_attempt_at = ${instant("$9")}, claimed_until = null
         from locked l
         where d.organisation_id = $1::uuid and d.webhook_id = l.id and d.id = $3::uuid
           and d.claimed_until = ${instant("$4")}
         returning d.status
       )
       ${mainChange} update ${table("webhook")} w
       set failing_since = case when s.status <> 'delivered' then ${instant("$8")} end
       from locked l cross join settled s
       where w.organisation_id = $1::uuid and w.id = l.id and (s.status = 'delivered') = (l.failing_since is not null)`
    )
  }
}

const readDelivery = deliveryTable.reader({})
const readEvent = eventTable.reader({})

const toClaim =
  (now: DateTime.Utc) =>
  ({ deliveries, secrets, url }: ClaimRow): WebhookClaim => ({
    url,
    secrets: signingSecrets(readSecrets(secrets), now),
    deliveries: deliveries.map(({ createdAt, delivery, event }) => ({
      delivery: readDelivery(delivery),
      event: event === null ? null : readEvent(event),
      createdAt: fromSeconds(createdAt)
    }))
  })

export const makeClaims = (client: PgClient["Service"]): Pick<WebhookQueue["Service"], "claim" | "settle"> => {
  const sql = statements(client)
  return {
    claim: (organisationId, webhookId, { claimedUntil, limit, now }) =>
      Effect.map(
        sql.claim(organisationId, webhookId, toMilliseconds(now), toMilliseconds(claimedUntil), limit),
        (row) => Option.map(Option.fromNullOr(row), toClaim(now))
      ),

    settle: (organisationId, webhookId, deliveryId, result) => {
      const { at, claimedUntil, error, nextAttemptAt, responseStatus, status } = result
      return Effect.asVoid(
        sql.settle(
          organisationId,
          webhookId,
          deliveryId,
          toMilliseconds(claimedUntil),
          status,
          responseStatus,
          error,
          toMilliseconds(at),
          nextAttemptAt === null ? null : toMilliseconds(nextAttemptAt)
        )
      )
    }
  }
}
