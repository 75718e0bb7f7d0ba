import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import {
  keptWebhookDeliveries,
  OrganisationRepository,
  WebhookQueue,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { anOrganisation, aSite, aWebhook, aWebhookDelivery, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { onPostgres, withoutPostgres } from "./Databases.ts"
import { recording } from "./scale/Plans.ts"
import { textIn, withConstants } from "./Texts.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const claimedUntil = DateTime.add(at, { minutes: 1 })

describe.skipIf(withoutPostgres)("a claim of deliveries", () => {
  it.live("reads those of its webhook only, also while statistics are older than they are", () =>
    Effect.gen(function* () {
      const direct = yield* PgClient
      const { id } = anOrganisation()
      yield* (yield* OrganisationRepository).insert(anOrganisation({ id }))
      const repository = yield* webhookRecords
      const [busy, quiet] = [aWebhook(), aWebhook()]
      for (const webhook of [busy, quiet]) yield* repository.insert(id, webhook, yield* WebhookSigning.generate)
      yield* repository.insertDelivery(id, busy.id, aWebhookDelivery())
      const { schema } = direct
      const run = (text: string) => direct.run({ operation: "test", text })
      yield* run(`alter table ${schema}.webhook_delivery set (autovacuum_enabled = false)`)
      yield* run(`analyze ${schema}.webhook_delivery`)
      yield* run(`insert into ${schema}.webhook_delivery
        select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
        from ${schema}.webhook_delivery d cross join generate_series(1, 5000)`)

      const { recorded, service } = recording(direct)
      const ports = layerPorts.pipe(Layer.provide(Layer.succeed(PgClient, service)))
      const claim = WebhookQueue.use((queue) => queue.claim(id, quiet.id, { now: at, claimedUntil, limit: 4 }))
      yield* Effect.provide(claim, ports)
      const claims = recorded().filter(({ operation }) => operation === "WebhookQueue.claim")
      assert.lengthOf(claims, 1)
      for (const { parameters, text } of claims) {
        const rows = yield* run(`explain (costs off) ${withConstants(textIn(schema, text), parameters)}`)
        const lines = rows.flat().map(String)
        const conditions = lines.filter((_, index) => /using \w+ on webhook_delivery /.test(lines[index - 1] ?? ""))
        assert.lengthOf(conditions, 2, lines.join("\n"))
        for (const condition of conditions) assert.match(condition, /Index Cond: .*webhook_id = '/)
      }
    }).pipe(Effect.provide(Layer.effectContext(onPostgres())))
  )

  it.live("has room for new ones, however many wait for a webhook with the same id of another organisation", () =>
    Effect.gen(function* () {
      const [own, other] = [anOrganisation().id, anOrganisation().id]
      const webhook = aWebhook()
      const repository = yield* webhookRecords
      for (const id of [own, other]) {
        yield* (yield* OrganisationRepository).insert(anOrganisation({ id }))
        yield* repository.insert(id, webhook, yield* WebhookSigning.generate)
      }
      yield* repository.insertDelivery(other, webhook.id, aWebhookDelivery({ status: "pending", nextAttemptAt: at }))
      const { run, schema } = yield* PgClient
      yield* run({
        operation: "test",
        text: `insert into ${schema}.webhook_delivery
          select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
          from ${schema}.webhook_delivery d cross join generate_series(1, ${keptWebhookDeliveries.pending})`
      })
      yield* (yield* siteMethods).insert(own, aSite({ organisationId: own }))
      assert.strictEqual(yield* (yield* WebhookQueue).dispatch(own, { at, limit: 10 }), 1)
      const { items } = yield* repository.listDeliveries(own, webhook.id, { after: null, limit: 10 })
      assert.deepStrictEqual(
        items.map(({ type }) => type),
        ["site.created"]
      )
    }).pipe(Effect.provide(Layer.effectContext(onPostgres())))
  )
})
