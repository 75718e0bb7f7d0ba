import { assert, describe, it } from "@effect/vitest"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { migrations } from "../src/migrations/migrations.ts"
import { migrateWith } from "../src/migrations/PgMigrations.ts"
import { options, ownSchema, withoutPostgres } from "./Databases.ts"

const webhookId = "01900000-0000-7000-8000-000000000001"
const deliveryId = "01900000-0000-7000-8000-000000000002"

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "0016_deliveries")
)

describe.skipIf(withoutPostgres)("webhooks of before they needed no slot", () => {
  it.live("keep their slots and deliveries, beside webhooks without a slot", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        const { run, schema: quoted } = yield* PgClient
        const ask = (text: string) => run({ operation: "test", text })
        const insert = (id: string, slot: string) =>
          ask(`insert into ${quoted}.webhook values ('${organisation.id}', '${id}', ${slot}, 'https://example.com/',
            '[]', null, true, '[]', 0, null, null, now(), now(), 1)`)
        const organisation = anOrganisation()
        yield* migrateWith(before)
        yield* OrganisationRepository.use((organisations) => organisations.insert(organisation))
        yield* insert(webhookId, "7")
        yield* ask(`insert into ${quoted}.webhook_delivery values ('${organisation.id}', '${webhookId}',
          '${deliveryId}', 1, '${deliveryId}', 'site.created', 1, 'delivered', 200, null, now(), now(), null, null)`)
        yield* Effect.flip(insert(deliveryId, "null"))
        assert.include(yield* migrate, "0016_deliveries")
        yield* insert(deliveryId, "null")
        const stored = `select w.id::text, w.slot::int, d.id::text, d.status from ${quoted}.webhook w
          left join ${quoted}.webhook_delivery d on d.webhook_id = w.id order by w.id`
        assert.deepStrictEqual(yield* ask(stored), [
          [webhookId, 7, deliveryId, "delivered"],
          [deliveryId, null, null, null]
        ])
      }).pipe(Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(options(schema)))))
    })
  )
})
