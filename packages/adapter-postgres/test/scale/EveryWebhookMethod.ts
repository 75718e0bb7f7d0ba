/**
 * Calls every method of the ports of webhooks.
 */
import { type OrganisationId, WebhookQueue, WebhookSigning, webhookRecords } from "@solar-sites/core"
import { aWebhook, aWebhookDelivery } from "@solar-sites/testing"
import { DateTime, Duration, Effect } from "effect"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const later = DateTime.addDuration(at, Duration.minutes(1))

export const webhooks = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const repository = yield* webhookRecords
  const webhook = aWebhook()
  yield* repository.insert(organisationId, webhook, yield* WebhookSigning.generate)
  yield* repository.findById(organisationId, webhook.id)
  yield* repository.list(organisationId, { after: null, limit: 50 })
  yield* repository.update(organisationId, webhook.id, { description: "Other" }, { at })
  const rotation = { secret: yield* WebhookSigning.generate, at, previousUntil: later }
  yield* repository.rotateSecret(organisationId, webhook.id, rotation)
  yield* repository.findSigning(organisationId, webhook.id, at)
  const delivery = yield* repository.insertDelivery(organisationId, webhook.id, aWebhookDelivery())
  yield* repository.listDeliveries(organisationId, webhook.id, { after: null, limit: 50 })
  yield* repository.listDeliveries(organisationId, webhook.id, { after: delivery.id, limit: 50 })
  yield* repository.retry(organisationId, webhook.id, delivery.id, at)

  const queue = yield* WebhookQueue
  yield* queue.findUndispatched(1_000)
  yield* queue.dispatch(organisationId, { at, limit: 500 })
  yield* queue.findDue({ now: at, limit: 1_000 })
  yield* queue.claim(organisationId, webhook.id, { now: at, claimedUntil: later, limit: 4 })
  const result = { status: "delivered", responseStatus: 204, error: null, nextAttemptAt: null } as const
  const claimed = { at, claimedUntil: later }
  yield* queue.settle(organisationId, webhook.id, delivery.id, { ...result, ...claimed })
  yield* repository.disableFailing(organisationId, { at, failingSince: at })
  yield* queue.oldestPending
  yield* queue.findOrganisations({ after: organisationId, limit: 10 })
  yield* queue.purge(organisationId, { before: at, keep: 10_000, limit: 1_000 })
  yield* repository.delete(organisationId, webhook.id, { at })
})
