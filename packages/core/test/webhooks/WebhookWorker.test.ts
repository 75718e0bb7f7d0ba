import { describe, expect, it } from "@effect/vitest"
import { WebhookDeliveryId, WebhookSigning } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { services as withoutSender } from "../services.ts"
import { noAnswer, owner, receivers } from "./setup.ts"

const url = "https://example.com/a"
const other = "https://example.com/b"

describe("the worker of webhooks", () => {
  it.effect("sends a signed event within five seconds of the change", () => {
    const { requests, services } = receivers()
    return Effect.gen(function* () {
      const { asPerson, change, create, webhooks } = yield* owner
      const { secret, webhook } = yield* create(url)
      const site = yield* change
      yield* TestClock.adjust("5 seconds")
      const [request] = requests
      expect(requests).toHaveLength(1)
      const { data, ...message } = JSON.parse(request?.body ?? "")
      expect(message).toEqual({ type: "site.created", timestamp: data.occurredAt })
      expect(data).toMatchObject({ type: "site.created", subject: { id: site.id }, siteId: site.id })
      const at = DateTime.makeUnsafe(request?.at ?? 0)
      expect(request?.headers).toEqual({
        "content-type": "application/json",
        ...WebhookSigning.signedHeaders({ id: data.id, at, body: request?.body ?? "", secrets: [secret] })
      })
      const { data: deliveries } = yield* webhooks.listDeliveries(webhook.id).pipe(asPerson)
      expect(deliveries).toMatchObject([
        { eventId: data.id, type: "site.created", attempt: 1, status: "delivered", responseStatus: 204, error: null }
      ])
      expect((yield* webhooks.get(webhook.id).pipe(asPerson)).lastDelivery).toEqual(deliveries[0])
    }).pipe(Effect.provide(services))
  })

  it.effect("tries again after about ten seconds, then later, and shows the error", () => {
    const { answers, requests, services } = receivers()
    answers.set(url, Effect.succeed(500))
    return Effect.gen(function* () {
      const { asPerson, change, create, webhooks } = yield* owner
      const { webhook } = yield* create(url)
      yield* change
      yield* TestClock.adjust("1 minute")
      const times = requests.map(({ at }) => at)
      const [first = 0, second = 0] = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000)
      expect(times).toHaveLength(3)
      expect(first).toBeGreaterThanOrEqual(9)
      expect(first).toBeLessThanOrEqual(13)
      expect(second).toBeGreaterThanOrEqual(27)
      expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
      const error = "The receiver answered 500."
      const failing = { status: "pending", attempt: 3, responseStatus: 500, error }
      const list = webhooks.listDeliveries(webhook.id).pipe(asPerson)
      expect((yield* list).data).toMatchObject([failing])
      answers.set(url, Effect.succeed(204))
      const [{ id } = { id: "" }] = (yield* list).data
      yield* webhooks.retry(webhook.id, WebhookDeliveryId.make(id)).pipe(asPerson)
      yield* TestClock.adjust("2 seconds")
      expect((yield* list).data).toMatchObject([{ status: "delivered", attempt: 4, error: null, nextAttemptAt: null }])
    }).pipe(Effect.provide(services))
  })

  it.effect("makes the first attempts of many events within five seconds, also while they fail", () => {
    const { answers, services, to } = receivers()
    answers.set(url, Effect.succeed(500))
    return Effect.gen(function* () {
      const { change, create } = yield* owner
      yield* create(url)
      for (let count = 0; count < 30; count++) yield* change
      yield* TestClock.adjust("5 seconds")
      expect(new Set(to(url).map(({ headers }) => headers["webhook-id"])).size).toBe(30)
      expect(to(url)).toHaveLength(30)
    }).pipe(Effect.provide(services))
  })

  it.effect("delays neither other organisations nor other webhooks by receivers that hang", () => {
    const { answers, services, to } = receivers()
    const hanging = Array.from({ length: 19 }, (_, index) => `https://example.com/slow-${index}`)
    for (const slow of hanging) answers.set(slow, Effect.as(Effect.sleep("10 seconds"), noAnswer))
    return Effect.gen(function* () {
      const [slow, fast] = [yield* owner, yield* owner]
      for (const address of hanging) yield* slow.create(address)
      yield* slow.create(other)
      yield* fast.create(url)
      for (let count = 0; count < 20; count++) yield* slow.change
      yield* TestClock.adjust("3 seconds")
      yield* fast.change
      yield* TestClock.adjust("5 seconds")
      expect(to(url)).toHaveLength(1)
      expect(to(other)).toHaveLength(20)
      // A receiver that hangs has its share of attempts, and no more.
      for (const address of hanging) expect(to(address).length).toBeLessThanOrEqual(4)
    }).pipe(Effect.provide(services))
  })

  it.effect("does not run without a sender, and no webhook can be created", () =>
    Effect.gen(function* () {
      const { create } = yield* owner
      const refused = yield* Effect.flip(create(url))
      expect(refused).toMatchObject({ _tag: "WebhookAddressNotAllowed", code: "webhook_address_not_allowed" })
      expect(refused.message).toContain("add a webhook sender")
    }).pipe(Effect.provide(withoutSender))
  )
})
