/**
 * Random steps about webhooks and their deliveries.
 */
import {
  type AttemptResult,
  type OrganisationId,
  type Webhook,
  type WebhookChanges,
  WebhookDeliveryId,
  type WebhookId,
  WebhookQueue,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { anId, aWebhook, aWebhookDelivery } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import { anOwner, endOfClaim, one, type Random, step, type World } from "./RandomSteps.ts"
import { changedAt } from "./Setup.ts"
import { shownClaim } from "./WebhookReference.ts"
import type { WebhookPorts } from "./WebhookSetup.ts"

type WebhookStep = Random<WebhookPorts>

/** So many seconds after the last step. */
const after = ({ clock }: World, seconds: number): DateTime.Utc =>
  DateTime.add(changedAt, { seconds: clock.now + seconds })

/** Later than the steps before, so that no two deliveries of a webhook have one instant. */
const next = (world: World): DateTime.Utc => {
  const { below, clock, owners } = world
  clock.calls += 1
  // What a claim takes is not due for another one of the same round.
  if (owners.length === 1) return DateTime.add(after(world, 0), { milliseconds: clock.calls })
  clock.now += 1 + below(3)
  return after(world, 0)
}

/** When a delivery is due again. Of commands at once none makes another one due, which it may see or not. */
const soon = (world: World): DateTime.Utc => after(world, world.owners.length === 1 ? 1_000 : world.below(9))

const aSecret = () => Effect.runSync(WebhookSigning.generate)

const filters: ReadonlyArray<Webhook["events"]> = [
  ["*"],
  ["site.*"],
  ["webhook.*"],
  ["site.deleted", "webhook.created"]
]
const aFilter = (world: World) => one(world, filters)

const webhookWith = (world: World, organisationId: OrganisationId, id: WebhookId) => {
  const [url, enabled] = [`https://example.com/${world.below(9)}`, world.below(4) > 0]
  const webhook = aWebhook({ id, events: aFilter(world), enabled, url })
  const secret = aSecret()
  const run = Effect.flatMap(webhookRecords, ({ insert }) => insert(organisationId, webhook, secret))
  return step(`create webhook ${id}`, organisationId, Effect.asVoid(run))
}

export const createWebhook: WebhookStep = (world) => webhookWith(world, anOwner(world), one(world, world.webhookIds))

/** All webhooks of all organisations. */
export const createWebhooks = (world: World) =>
  world.owners.flatMap((owner) => world.webhookIds.map((id) => webhookWith(world, owner.id, id)))

export const changeWebhook: WebhookStep = (world) => {
  const { of } = world
  const organisationId = anOwner(world)
  const [id, secret, at] = [one(world, world.webhookIds), aSecret(), next(world)]
  const changes = of<WebhookChanges>(
    { enabled: true },
    { enabled: true },
    { enabled: false },
    { events: aFilter(world) },
    { url: "https://b.example" }
  )
  const [previousUntil, failingSince] = [after(world, world.below(9)), after(world, -world.below(30))]
  const command = of<"update" | "rotateSecret" | "disableFailing" | "delete">(
    "update",
    "update",
    "rotateSecret",
    "disableFailing",
    "delete"
  )
  const run = Effect.flatMap(
    webhookRecords,
    (webhooks) =>
      ({
        update: webhooks.update(organisationId, id, changes, { at }),
        rotateSecret: webhooks.rotateSecret(organisationId, id, { secret, at, previousUntil }),
        disableFailing: webhooks.disableFailing(organisationId, { at, failingSince }),
        delete: webhooks.delete(organisationId, id, { at })
      })[command]
  )
  // Its answer has ids that the adapter has chosen.
  return step(`${command} ${id} ${JSON.stringify(changes)}`, organisationId, Effect.asVoid(run))
}

/** Stores a delivery of one id in all organisations, in different states. */
export const storeDelivery: WebhookStep = (world) => {
  // Less than the ids of dispatched deliveries: of those that are due at one instant, the least ids are claimed first.
  const [id, webhookId] = [WebhookDeliveryId.make(`00000000${anId().slice(8)}`), one(world, world.webhookIds)]
  world.deliveries.push({ id, webhookId })
  const stored = world.owners.map((owner) => {
    const [at, status] = [next(world), one(world, ["pending", "pending", "delivered", "failed"] as const)]
    const nextAttemptAt = status === "pending" ? after(world, 0) : null
    return [owner.id, aWebhookDelivery({ id, at, status, nextAttemptAt })] as const
  })
  const run = Effect.flatMap(webhookRecords, ({ insertDelivery }) =>
    Effect.forEach(stored, ([owner, delivery]) => Effect.result(insertDelivery(owner, webhookId, delivery)))
  )
  return step(`store delivery ${id}`, anOwner(world), run)
}

/** One of the last stored ones. */
const aDelivery = (world: World) => one(world, world.deliveries.slice(-5))

export const retryDelivery: WebhookStep = (world) => {
  const organisationId = anOwner(world)
  const [{ id, webhookId }, at] = [aDelivery(world), next(world)]
  const run = Effect.flatMap(webhookRecords, ({ retry }) => retry(organisationId, webhookId, id, at))
  return step(`retry ${id}`, organisationId, run)
}

const aResult = (world: World, claimedUntil: DateTime.Utc): AttemptResult => {
  const [at, status] = [next(world), one(world, ["pending", "pending", "delivered", "failed"] as const)]
  const result =
    status === "delivered" ? { responseStatus: 204, error: null } : { responseStatus: 500, error: "It failed." }
  return { claimedUntil, at, status, ...result, nextAttemptAt: status === "pending" ? soon(world) : null }
}

/** Settles a stored delivery, which may not be under that claim. */
export const settleDelivery: WebhookStep = (world) => {
  const organisationId = anOwner(world)
  const { id, webhookId } = aDelivery(world)
  const result = aResult(world, endOfClaim(world))
  const run = WebhookQueue.use(({ settle }) => settle(organisationId, webhookId, id, result))
  return step(`settle ${id} ${JSON.stringify(result)}`, organisationId, run)
}

/** Claims deliveries, and settles some of them. */
const claiming =
  (settled: (world: World) => number): WebhookStep =>
  (world) => {
    const organisationId = anOwner(world)
    const webhookId = one(world, world.webhookIds)
    const now = next(world)
    const claimedUntil = after(world, 1 + world.below(8))
    world.claims.push(claimedUntil)
    const options = { now, claimedUntil, limit: world.of(1, 2, 1_000) }
    const results = Array.from({ length: settled(world) }, () => aResult(world, claimedUntil))
    const run = Effect.gen(function* () {
      const { claim, settle } = yield* WebhookQueue
      const found = yield* claim(organisationId, webhookId, options)
      if (Option.isNone(found)) return null
      const deliveries = found.value.deliveries.toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
      const claimed = yield* shownClaim(organisationId, { ...found.value, deliveries })
      for (const [index, result] of results.entries()) {
        const settled = deliveries[index]
        if (settled !== undefined) yield* settle(organisationId, webhookId, settled.delivery.id, result)
      }
      return claimed
    })
    return step(`claim of ${webhookId} ${JSON.stringify({ ...options, results })}`, organisationId, run)
  }

export const claimDeliveries = claiming(() => 0)
export const attemptDeliveries = claiming(({ below }) => 1 + below(3))

/** Dispatches one event of each webhook: its deliveries have different instants. */
export const dispatchEvent: WebhookStep = (world) => {
  const [organisationId, at] = [anOwner(world), next(world)]
  const run = WebhookQueue.use(({ dispatch }) => dispatch(organisationId, { at, limit: 1 }))
  return step("dispatch", organisationId, run)
}

/** Purges one, then all: which is the first is not promised. */
export const purgeDeliveries: WebhookStep = (world) => {
  const organisationId = anOwner(world)
  const options = { before: after(world, -world.below(60)), keep: world.below(4) }
  const run = WebhookQueue.use(({ purge }) =>
    Effect.forEach([1, 1_000], (limit) => purge(organisationId, { ...options, limit }))
  )
  return step(`purge ${JSON.stringify(options)}`, organisationId, run)
}

/** Finds work in all organisations, others than those of this case too. */
export const findWork: WebhookStep = (world) => {
  const owners = world.owners.map(({ id }) => id)
  const own = (found: ReadonlyArray<OrganisationId>) => found.filter((id) => owners.includes(id))
  const now = after(world, world.below(5))
  const run = Effect.gen(function* () {
    const { findDue, findOrganisations, findUndispatched } = yield* WebhookQueue
    const due = (yield* findDue({ now, limit: 100_000 })).filter(({ organisationId }) =>
      owners.includes(organisationId)
    )
    assert.ok((yield* findDue({ now, limit: 1 })).length <= 1, "at most the limit")
    return {
      behind: own(yield* findUndispatched(100_000)).toSorted(),
      withWebhooks: own(yield* findOrganisations({ after: null, limit: 100_000 })),
      following: own(yield* findOrganisations({ after: owners[0] ?? null, limit: 1 })),
      // The order of webhooks with one id that were never claimed is not promised.
      due: [
        due.map(({ webhookId }) => webhookId),
        due.map(({ organisationId, webhookId }) => `${organisationId} ${webhookId}`).toSorted()
      ]
    }
  })
  return { name: `find work at ${now}`, run }
}
