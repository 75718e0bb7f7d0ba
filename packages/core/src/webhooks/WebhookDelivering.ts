/**
 * Dispatch and claims of deliveries over any store of records, for adapters without statements of their own.
 */
import { DateTime, Effect, Option, Result } from "effect"
import { originWithoutEvents } from "../events/EventOrigin.ts"
import { EventRepository } from "../events/EventRepository.ts"
import { IdGenerator } from "../ids/IdGenerator.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { type Decision, makeDeciding } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { Find, Write } from "../records/RecordKind.ts"
import { Records } from "../records/Records.ts"
import type { WebhookId } from "./Webhook.ts"
import { type WebhookDeliveryRecord, webhookDeliveryKind, webhookDeliveryOf } from "./WebhookDeliveryKind.ts"
import { WebhookRecord, webhookKind } from "./WebhookKind.ts"
import type { WebhookQueue } from "./WebhookQueue.ts"
import { claimDeliveries, dispatchEvents, purgeDeliveries, settleDelivery } from "./WebhookQueueRules.ts"

type Service = WebhookQueue["Service"]

/** The webhook with its last delivery of these. */
export const withLastDelivery = (
  webhook: WebhookRecord,
  deliveries: Iterable<WebhookDeliveryRecord>
): WebhookRecord => {
  let last: WebhookDeliveryRecord | null = null
  for (const one of deliveries) if (last === null || one.at.epochMilliseconds >= last.at.epochMilliseconds) last = one
  return makeUnchecked(WebhookRecord, { ...webhook, lastDelivery: last && webhookDeliveryOf(last) })
}

/** The methods of `WebhookQueue` within one organisation. */
export const webhookDelivering: Effect.Effect<
  Pick<Service, "dispatch" | "claim" | "settle" | "purge">,
  never,
  Records | EventRepository
> = Effect.gen(function* () {
  const records = yield* Records
  const events = yield* EventRepository
  const nextId = yield* IdGenerator
  const deciding = makeDeciding(records)

  const decide = <A>(
    method: string,
    organisationId: OrganisationId,
    finds: ReadonlyArray<Find>,
    rule: (found: Found) => { readonly answer: A; readonly writes: ReadonlyArray<Write> }
  ) =>
    Effect.flatMap(DateTime.now, (at) => {
      const origin = originWithoutEvents(at)
      const decided = (found: Found): Result.Result<Decision<A>> => {
        const { answer, writes } = rule(found)
        // Deliveries are independent of each other.
        const written = new Set(writes.map(({ id }) => id))
        const mayChange = found.answers.flatMap(({ find, stored }) => {
          const ids = stored.map(({ record }) => String(Reflect.get(record, "id")))
          return find.kind === webhookDeliveryKind ? ids.filter((id) => !written.has(id)) : []
        })
        const change = { writes, events: [], origin, at, mayChange }
        return Result.succeed({ answer, change: writes.length === 0 ? null : change })
      }
      return deciding.create({ operation: `WebhookQueue.${method}`, organisationId, finds, rule: decided }, null)
    })

  const webhooksOf = (organisationId: OrganisationId) => ({
    kind: webhookKind,
    by: "organisationId",
    values: [organisationId]
  })
  const withDeliveries = (webhooks: Find & { readonly values: ReadonlyArray<string> }): ReadonlyArray<Find> => [
    webhooks,
    { kind: webhookDeliveryKind, by: "webhookId", values: { of: webhooks, member: "id" } }
  ]
  const webhooks = (ids: ReadonlyArray<WebhookId>) => ({ kind: webhookKind, by: "id", values: ids })

  const dispatch: Service["dispatch"] = Effect.fnUntraced(function* (organisationId, { at, limit }) {
    const firstId = yield* nextId
    const found = yield* records.load("WebhookQueue.dispatch", organisationId, [webhooksOf(organisationId)])
    const enabled = found.all(webhookKind, "organisationId", organisationId).filter(({ record }) => record.enabled)
    const ids = enabled.map(({ record }) => record.id)
    const read = yield* Effect.forEach(enabled, ({ record: { dispatchedSequence: after, id: webhookId } }) =>
      Effect.map(events.list(organisationId, {}, { after, limit, order: "asc" }), ({ items }) => ({
        webhookId,
        after,
        events: items
      }))
    )
    const rule = dispatchEvents(organisationId, read, { at, firstId })
    return yield* decide("dispatch", organisationId, withDeliveries(webhooks(ids)), rule)
  })

  const claim: Service["claim"] = Effect.fnUntraced(function* (organisationId, webhookId, given) {
    const rule = claimDeliveries(webhookId, given)
    const claimed = yield* decide("claim", organisationId, withDeliveries(webhooks([webhookId])), rule)
    if (claimed === null) return Option.none()
    const deliveries = yield* Effect.forEach(claimed.deliveries, (record) => {
      const { createdAt, eventSequence: sequence } = record
      const delivery = webhookDeliveryOf(record)
      if (sequence === null) return Effect.succeed({ delivery, event: null, createdAt })
      return Effect.map(
        events.list(organisationId, {}, { after: sequence - 1, limit: 1, order: "asc" }),
        ({ items: [event = null] }) => ({ delivery, event: event?.sequence === sequence ? event : null, createdAt })
      )
    })
    return Option.some({ ...claimed, deliveries })
  })

  return {
    dispatch,
    claim,
    settle: (organisationId, webhookId, deliveryId, result) =>
      decide(
        "settle",
        organisationId,
        [webhooks([webhookId]), { kind: webhookDeliveryKind, by: "id", values: [deliveryId] }],
        settleDelivery(webhookId, deliveryId, result)
      ),
    purge: (organisationId, options) =>
      decide(
        "purge",
        organisationId,
        withDeliveries(webhooksOf(organisationId)),
        purgeDeliveries(organisationId, options)
      )
  }
})
