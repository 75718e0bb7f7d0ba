/**
 * The deliveries of a webhook, for its organisation. Statements lock a webhook before its
 * deliveries, as its deletion does.
 */
import { DeliveryNotFound, WebhookNotFound, type WebhookRepository } from "@solar-sites/core"
import { Effect } from "effect"
import { mainQuery, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { instant, toMilliseconds } from "../tables/SqlValues.ts"
import { type DeliveryRow, deliveryTable } from "../tables/WebhookTable.ts"
import { writing } from "./PgJsonStatement.ts"
import { pages } from "./PgPage.ts"

const statements = (client: PgClient["Service"]) => {
  const webhook = sql`${table("webhook")} w where w.organisation_id = $1::uuid and w.id = $2::uuid`
  const delivery = sql`${table("webhook_delivery")} d where d.organisation_id = $1::uuid and d.webhook_id = $2::uuid`

  return {
    listDeliveries: pages(client, {
      operation: "WebhookRepository.listDeliveries",
      table: deliveryTable,
      id: "d.id",
      parameters: 2,
      select: (rest) => sql`select d.* from ${delivery} ${rest}`
    }),

    insertDelivery: writing<DeliveryRow>(
      client,
      "WebhookRepository.insertDelivery",
      sql`with locked as materialized (
         select w.id, w.failing_since from ${webhook} for no key update
       ), d as (
         insert into ${table("webhook_delivery")} as d (
           organisation_id, webhook_id, created_at, ${deliveryTable.inserted.join(", ")}
         )
         select $1::uuid, l.id, ${instant("r.at")}, ${deliveryTable.insertedValues("r").join(", ")}
         from locked l cross join json_to_record($3::text::json) as r (${deliveryTable.inputTypes})
         returning d.*
       ), succeeded as (
         update ${table("webhook")} w set failing_since = null
         from locked l join d on d.status = 'delivered'
         where w.organisation_id = $1::uuid and w.id = l.id and l.failing_since is not null
       )
       ${mainQuery} select ${deliveryTable.row("d")} from d`
    ),

    retry: writing<{ readonly delivery: DeliveryRow | null }>(
      client,
      "WebhookRepository.retry",
      sql`with locked as materialized (
         select w.id from ${webhook} for key share
       ), changed as (
         update ${table("webhook_delivery")} d set status = 'pending', next_attempt_at = ${instant("$4")}
         from locked l
         where d.organisation_id = $1::uuid and d.webhook_id = l.id and d.id = $3::uuid
           and (d.claimed_until is null or d.claimed_until <= ${instant("$4")})
         returning d.*
       )
       ${mainQuery} select json_build_object('delivery', (
         select ${deliveryTable.row("d")}::json from (
           select * from changed union all
           select d.* from ${delivery} and d.id = $3::uuid and not exists (select from changed)
         ) d
       ))::text
       from locked`
    )
  }
}

const readDelivery = deliveryTable.reader({})

type Methods = "listDeliveries" | "insertDelivery" | "retry"

/** The methods of `WebhookRepository` that send and list deliveries. */
export const makeDeliveries = (client: PgClient["Service"]): Pick<WebhookRepository["Service"], Methods> => {
  const sql = statements(client)
  return {
    listDeliveries: (organisationId, webhookId, page) => sql.listDeliveries(page, {}, organisationId, webhookId),
    insertDelivery: Effect.fnUntraced(function* (organisationId, webhookId, delivery) {
      const stored = yield* sql.insertDelivery(organisationId, webhookId, deliveryTable.input(delivery))
      if (stored === null) return yield* new WebhookNotFound({ webhookId })
      return readDelivery(stored)
    }),
    retry: Effect.fnUntraced(function* (organisationId, webhookId, deliveryId, at) {
      const answer = yield* sql.retry(organisationId, webhookId, deliveryId, toMilliseconds(at))
      if (answer === null) return yield* new WebhookNotFound({ webhookId })
      if (answer.delivery === null) return yield* new DeliveryNotFound({ deliveryId })
      return readDelivery(answer.delivery)
    })
  }
}
