/**
 * Webhooks with deliveries in the states that rules tell apart.
 */
import {
  EventRepository,
  type OrganisationId,
  type WebhookDelivery,
  WebhookQueue,
  webhookRecords
} from "@solar-sites/core"
import { DateTime, Effect, Option, Redacted } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import {
  dispatchAll,
  type Hook,
  second,
  webhookInOwnOrganisation,
  writeEvents
} from "../../src/conformance/WebhookSetup.ts"

/** Two organisations with a webhook of the same id. */
export const twinWebhooks = Effect.fnUntraced(function* () {
  const first = yield* webhookInOwnOrganisation({ description: "First" })
  const { id } = first.webhook
  return [first, yield* webhookInOwnOrganisation({ id, description: "Second", version: 7 })] as const
})

/** The stored webhook, or null. */
export const currentWebhook = Effect.fnUntraced(function* ({ organisationId, webhook }: Hook) {
  return Option.getOrNull(yield* (yield* webhookRecords).findById(organisationId, webhook.id))
})

/** The texts of the secrets that sign at an instant. */
export const secretsAt = Effect.fnUntraced(function* ({ organisationId, webhook }: Hook, at: DateTime.Utc) {
  const found = yield* (yield* webhookRecords).findSigning(organisationId, webhook.id, at)
  return Option.match(found, { onNone: () => [], onSome: ({ secrets }) => secrets.map(Redacted.value) })
})

/** The types of the events of the organisation that are about webhooks. */
export const webhookEvents = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const page = { after: null, limit: 1_000, order: "asc" } as const
  return (yield* (yield* EventRepository).list(organisationId, { type: ["webhook.*"] }, page)).items
})

/** Claims until 30 s later, and returns the claim. */
export const claimAt = Effect.fnUntraced(function* (
  { organisationId, webhook }: Hook,
  now: DateTime.Utc,
  limit?: number
) {
  const claimedUntil = DateTime.add(now, { seconds: 30 })
  const claim = yield* (yield* WebhookQueue).claim(organisationId, webhook.id, {
    now,
    claimedUntil,
    limit: limit ?? 10
  })
  return Option.match(claim, {
    onNone: () => [],
    onSome: ({ deliveries }) => deliveries.map((one) => ({ ...one, claimedUntil }))
  })
})

type Claimed = Effect.Success<ReturnType<typeof claimAt>>[number]

/** Settles a claimed delivery. By default the attempt failed and the delivery waits for a minute. */
export const settleAt = Effect.fnUntraced(function* (
  { organisationId, webhook }: Hook,
  { claimedUntil, delivery }: Pick<Claimed, "claimedUntil" | "delivery">,
  at: DateTime.Utc,
  status: WebhookDelivery["status"] = "pending"
) {
  const { settle } = yield* WebhookQueue
  yield* settle(organisationId, webhook.id, delivery.id, {
    claimedUntil,
    at,
    status,
    responseStatus: status === "delivered" ? 204 : 500,
    error: status === "delivered" ? null : "The receiver answered 500.",
    nextAttemptAt: status === "pending" ? DateTime.add(at, { minutes: 1 }) : null
  })
})

/** A webhook with this many due deliveries. */
export const webhookWithDeliveries = Effect.fnUntraced(function* (count: number, at: DateTime.Utc = second(0)) {
  const hook = yield* webhookInOwnOrganisation()
  yield* writeEvents(hook.organisationId, count)
  yield* dispatchAll(hook.organisationId, at)
  return hook
})

/** The only item. */
export const single = <Item>(items: ReadonlyArray<Item>): Item => {
  const [first] = items
  assert.ok(first !== undefined && items.length === 1, `one item, not ${items.length}`)
  return first
}
