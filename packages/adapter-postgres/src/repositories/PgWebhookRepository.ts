/**
 * Keeps webhooks in the table `webhook`.
 */
import { type Webhook, WebhookRepository, webhookRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import * as PgRecords from "../records/PgRecords.ts"
import type { Row } from "../tables/Table.ts"
import { webhookTable, withLast } from "../tables/WebhookTable.ts"
import { reading } from "./PgJsonStatement.ts"
import { makeDeliveries } from "./PgWebhookDeliveries.ts"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  return {
    list: reading<ReadonlyArray<Row<Webhook>>>(
      client,
      "WebhookRepository.list",
      `select ${webhookTable.rows("x", "order by x.id")} from ${withLast(
        schema,
        `(
          select * from ${schema}.webhook w
          where w.organisation_id = $1::uuid and ($2::uuid is null or w.id > $2::uuid)
          order by w.id limit $3::int
        )`
      )}`
    )
  }
}

export const layer: Layer.Layer<WebhookRepository, never, PgClient> = Layer.effect(
  WebhookRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)

    return WebhookRepository.of({
      ...(yield* webhookRecords),
      list: (organisationId, { after, limit }) =>
        Effect.map(sql.list(organisationId, after, limit + 1), (rows) => ({
          items: (rows ?? []).slice(0, limit).map(webhookTable.reader({})),
          hasMore: (rows ?? []).length > limit
        })),
      ...makeDeliveries(client)
    })
  })
).pipe(Layer.provide(PgRecords.layer))
