import { describe, expect, it } from "@effect/vitest"
import { WebhookDeliveryId } from "@solar-sites/core"
import { Effect } from "effect"
import { owner, receivers } from "./setup.ts"

describe("Webhooks", () => {
  it.effect("does everything in the organisation of its caller, for one after the other", () => {
    const { services } = receivers()
    return Effect.gen(function* () {
      for (const name of ["one organisation", "another one"]) {
        const { asPerson, create, webhooks } = yield* owner
        const { webhook } = yield* create("https://example.com/a")
        const { id } = webhook
        const all = Effect.map(webhooks.list().pipe(asPerson), ({ data }) => data.map((one) => one.id))
        expect(yield* all, name).toEqual([id])
        expect(yield* webhooks.update(id, { description: name }).pipe(asPerson)).toMatchObject({ description: name })
        expect(yield* webhooks.rotateSecret(id).pipe(asPerson)).toMatchObject({ webhook: { id, version: 3 } })
        const delivery = yield* webhooks.test(id).pipe(asPerson)
        expect((yield* webhooks.listDeliveries(id).pipe(asPerson)).data, name).toEqual([delivery])
        const retried = yield* webhooks.retry(id, WebhookDeliveryId.make(delivery.id)).pipe(asPerson)
        expect(retried, name).toMatchObject({ id: delivery.id, status: "pending" })
        expect((yield* webhooks.get(id).pipe(asPerson)).lastDelivery, name).toEqual(retried)
        yield* webhooks.delete(id).pipe(asPerson)
        expect(yield* all, name).toEqual([])
      }
    }).pipe(Effect.provide(services))
  })
})
