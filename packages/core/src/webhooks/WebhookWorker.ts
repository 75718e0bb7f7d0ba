/**
 * Background job: delivers events to webhooks. Safe to run in several instances.
 */
import { Context, DateTime, Duration, Effect, Layer, Metric, Option, Schedule, type Scope } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Records } from "../records/Records.ts"
import { nextAttempt, sendEvent, testEvent } from "./WebhookAttempt.ts"
import type { WebhookCommands } from "./WebhookCommands.ts"
import { webhookTestType } from "./WebhookDelivery.ts"
import { keptWebhookDeliveries, webhookDisabledAfterDays, webhookTimeoutSeconds } from "./WebhookPolicy.ts"
import { type ClaimedDelivery, type DueWebhook, type WebhookClaim, WebhookQueue } from "./WebhookQueue.ts"
import { webhookRecords } from "./WebhookRecords.ts"
import { WebhookSender } from "./WebhookSender.ts"

/**
 * The worker begins when this completes. Default: at once. A test that advances a clock by days
 * spares the turns before its first webhook.
 */
export const WebhookWorkerStart = Context.Reference<Effect.Effect<void>>("@solar-sites/core/WebhookWorkerStart", {
  defaultValue: () => Effect.void
})

const interval = Duration.seconds(1)
const gaugeInterval = Duration.seconds(15)
const maintenanceInterval = Duration.minutes(5)

// A claim of a process that died is due again after this time.
const claimLife = Duration.seconds(2 * webhookTimeoutSeconds)

// A slow receiver occupies its own share only.
const attemptsPerWebhook = 4
const webhooksAtOnce = 1_000
/** A webhook with a backlog gives way to others after this time. */
const longestShare = Duration.seconds(10)

const organisationsPerTurn = 1_000
const eventsPerDispatch = 500
const deliveriesPerPurge = 1_000

const attempts = Metric.counter("solar_sites_webhook_deliveries", {
  description: "Attempts to deliver an event to a webhook, by result"
})
const oldestUndelivered = Metric.gauge("solar_sites_webhook_oldest_undelivered_seconds", {
  description: "Age of the oldest pending delivery to an enabled webhook; 0 without one"
})

const warn = (message: string) => Effect.catchCause((cause) => Effect.logWarning(message, cause))

/** Delivers due events of one webhook: claims, sends and settles. */
const makeDeliver = (queue: WebhookQueue["Service"], sender: WebhookSender["Service"]) => {
  const attemptOne = Effect.fnUntraced(function* (
    { organisationId, webhookId }: DueWebhook,
    claim: WebhookClaim,
    { createdAt, delivery, event }: ClaimedDelivery,
    claimedUntil: DateTime.Utc
  ) {
    const isTest = delivery.type === webhookTestType
    const sent = isTest ? testEvent(delivery.eventId, createdAt, { id: webhookId, url: claim.url }) : event
    const expired = { responseStatus: null, error: "The event is no longer kept." }
    const outcome = sent === null ? expired : yield* sendEvent(sender, claim, sent)
    const at = yield* DateTime.now
    const isFinal = outcome.error === null || sent === null || isTest
    const next = isFinal ? Option.none() : yield* nextAttempt(delivery.attempt + 1, createdAt, at)
    const status = outcome.error === null ? "delivered" : Option.isNone(next) ? "failed" : "pending"
    yield* Effect.uninterruptible(
      queue.settle(organisationId, webhookId, delivery.id, {
        ...outcome,
        claimedUntil,
        at,
        status,
        nextAttemptAt: Option.getOrNull(next)
      })
    )
    const result = status === "pending" ? "retried" : status
    yield* Metric.update(Metric.withAttributes(attempts, { result }), 1)
  })

  /** True when something was claimed, so that more may be due. */
  const deliverClaim = Effect.fnUntraced(function* (due: DueWebhook) {
    const now = yield* DateTime.now
    const claimedUntil = DateTime.addDuration(now, claimLife)
    const limits = { now, claimedUntil, limit: attemptsPerWebhook }
    const claimed = yield* queue.claim(due.organisationId, due.webhookId, limits)
    if (Option.isNone(claimed)) return false
    const { deliveries } = claimed.value
    yield* Effect.forEach(deliveries, (delivery) => attemptOne(due, claimed.value, delivery, claimedUntil), {
      concurrency: attemptsPerWebhook,
      discard: true
    })
    return true
  })

  return Effect.fnUntraced(function* (due: DueWebhook) {
    const end = DateTime.addDuration(yield* DateTime.now, longestShare)
    while (yield* deliverClaim(due)) {
      if (DateTime.isGreaterThan(yield* DateTime.now, end)) return
    }
  })
}

/** Starts the delivery of due webhooks within the shares; skips those under way. */
const makeTurn = (queue: WebhookQueue["Service"], sender: WebhookSender["Service"]) => {
  const deliver = makeDeliver(queue, sender)
  const running = new Set<string>()

  const start = Effect.fnUntraced(function* (due: DueWebhook) {
    const key = `${due.organisationId} ${due.webhookId}`
    if (running.has(key) || running.size >= webhooksAtOnce) return
    running.add(key)
    yield* deliver(due).pipe(
      warn("delivery to a webhook failed"),
      Effect.ensuring(Effect.sync(() => running.delete(key))),
      Effect.forkScoped
    )
  })

  return Effect.gen(function* () {
    const behind = yield* queue.findUndispatched(organisationsPerTurn)
    const at = yield* DateTime.now
    const dispatch = (organisationId: OrganisationId) =>
      queue.dispatch(organisationId, { at, limit: eventsPerDispatch }).pipe(warn("dispatch of events failed"))
    yield* Effect.forEach(behind, dispatch, { concurrency: 4, discard: true })
    const due = yield* queue.findDue({ now: yield* DateTime.now, limit: organisationsPerTurn })
    yield* Effect.forEach(due, start, { discard: true })
  })
}

/** Disables webhooks that fail for long, and purges old deliveries. */
const maintain = Effect.fnUntraced(function* (
  queue: WebhookQueue["Service"],
  { disableFailing }: Pick<WebhookCommands, "disableFailing">
) {
  let after: OrganisationId | null = null
  while (true) {
    const found: ReadonlyArray<OrganisationId> = yield* queue.findOrganisations({ after, limit: organisationsPerTurn })
    const at = yield* DateTime.now
    const failingSince = DateTime.subtract(at, { days: webhookDisabledAfterDays })
    const before = DateTime.subtract(at, { days: keptWebhookDeliveries.days })
    const limits = { before, keep: keptWebhookDeliveries.ended, limit: deliveriesPerPurge }
    for (const organisationId of found) {
      for (const webhookId of yield* disableFailing(organisationId, { at, failingSince })) {
        const fields = { organisationId, webhookId }
        yield* Effect.logWarning(`webhook disabled after ${webhookDisabledAfterDays} days of failures`).pipe(
          Effect.annotateLogs(fields)
        )
      }
      const removeSome = queue.purge(organisationId, limits)
      yield* Effect.repeat(removeSome, { while: (removed) => removed === deliveriesPerPurge })
    }
    after = found.at(-1) ?? null
    if (found.length < organisationsPerTurn) return
  }
})

const measure = Effect.fnUntraced(function* ({ oldestPending }: WebhookQueue["Service"]) {
  const oldest = yield* oldestPending
  const now = yield* DateTime.now
  const since = Option.getOrElse(oldest, () => now)
  yield* Metric.update(oldestUndelivered, Duration.toSeconds(DateTime.distance(since, now)))
})

/** Repeats the job until the scope closes. Its failure waits for the next turn. */
const every = <E>(delay: Duration.Duration, name: string, job: Effect.Effect<unknown, E, Scope.Scope>) =>
  Effect.gen(function* () {
    yield* yield* WebhookWorkerStart
    yield* job.pipe(warn(name), Effect.delay(delay), Effect.repeat(Schedule.forever))
  }).pipe(Effect.forkScoped)

/**
 * Runs a turn every second, until the layer is closed. Attempts under way are then interrupted, and
 * repeated after their claims end. Without a `WebhookSender` it does nothing.
 */
export const layerBackground: Layer.Layer<never, never, Records | WebhookQueue> = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* WebhookQueue
    const sender = yield* Effect.serviceOption(WebhookSender)
    if (Option.isNone(sender)) return
    yield* every(interval, "turn of webhooks failed", makeTurn(queue, sender.value))
    yield* every(gaugeInterval, "measurement of webhooks failed", measure(queue))
    yield* every(maintenanceInterval, "maintenance of webhooks failed", maintain(queue, yield* webhookRecords))
  })
)
