import { WebhookQueue } from "@solar-sites/core"
import { webhookQueueConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"
import { changeAll, deliveriesOf, webhooksOf } from "./WebhookQueueBreaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const compared = "dispatches, claims, settles and purges deliveries as core does, in organisations with the same ids"
const atOnce = "dispatches, claims and settles deliveries at once as in some order"

notices(webhookQueueConformance, WebhookQueue, [
  {
    breakage: "claims what is claimed",
    replace: ({ claim }, database) => ({
      claim: (owner, id, options) =>
        Effect.tap(claim(owner, id, options), () =>
          Effect.sync(() => {
            for (const [key, one] of deliveriesOf(database, owner, id)) {
              const due = { ...one, nextAttemptAt: one.createdAt }
              if (one.status === "pending") database.get(owner)?.deliveries.set(key, due)
            }
          })
        )
    }),
    noticedBy: [compared]
  },
  {
    breakage: "looks for due deliveries a moment before it claims them",
    replace: ({ claim }, database) => ({
      claim: (owner, id, options) =>
        Effect.suspend(() => {
          const due = [...deliveriesOf(database, owner, id)].filter(([, { status }]) => status === "pending")
          return Effect.andThen(
            Effect.yieldNow,
            Effect.suspend(() => {
              for (const [key, one] of due) database.get(owner)?.deliveries.set(key, one)
              return claim(owner, id, options)
            })
          )
        })
    }),
    noticedBy: [atOnce]
  },
  {
    breakage: "settles the delivery as it was a moment before",
    replace: ({ settle }, database) => ({
      settle: (owner, id, deliveryId, result) =>
        Effect.suspend(() => {
          const before = database.get(owner)?.deliveries.get(deliveryId)
          return Effect.andThen(
            Effect.yieldNow,
            Effect.suspend(() => {
              if (before) database.get(owner)?.deliveries.set(deliveryId, before)
              return settle(owner, id, deliveryId, result)
            })
          )
        })
    }),
    noticedBy: [atOnce]
  },
  {
    breakage: "signs with every secret there ever was",
    replace: ({ claim }, database) => ({
      claim: (owner, id, options) =>
        Effect.map(
          claim(owner, id, options),
          Option.map((found) => ({
            ...found,
            secrets: (webhooksOf(database, owner).get(id)?.secrets ?? []).map(({ secret }) => secret)
          }))
        )
    }),
    noticedBy: [compared]
  },
  {
    breakage: "claims more deliveries than asked for",
    replace: ({ claim }) => ({
      claim: (owner, id, options) => claim(owner, id, { ...options, limit: options.limit + 1 })
    }),
    noticedBy: [compared]
  },
  {
    breakage: "keeps the due deliveries of a disabled webhook",
    replace: ({ claim }, database) => ({
      claim: (owner, id, options) =>
        Effect.suspend(() =>
          webhooksOf(database, owner).get(id)?.enabled === false
            ? Effect.succeed(Option.none())
            : claim(owner, id, options)
        )
    }),
    noticedBy: [compared]
  },
  {
    breakage: "purges pending deliveries",
    replace: ({ purge }, database) => ({
      purge: (owner, options) =>
        Effect.suspend(() => {
          const { deliveries } = database.get(owner) ?? { deliveries: new Map() }
          for (const [id, { at }] of deliveries) if (at < options.before) deliveries.delete(id)
          return purge(owner, options)
        })
    }),
    noticedBy: [compared]
  },
  {
    breakage: "purges more deliveries than asked for",
    replace: ({ purge }) => ({ purge: (owner, options) => purge(owner, { ...options, limit: 1_000 }) }),
    noticedBy: [compared]
  },
  {
    breakage: "finds more due webhooks than asked for",
    replace: ({ findDue }) => ({ findDue: (options) => findDue({ ...options, limit: 1_000 }) }),
    noticedBy: [compared]
  },
  {
    breakage: "names the first organisations with webhooks again and again",
    replace: ({ findOrganisations }) => ({
      findOrganisations: ({ limit }) => findOrganisations({ after: null, limit })
    }),
    noticedBy: [compared]
  },
  {
    breakage: "claims deliveries without their events",
    replace: ({ claim }) => ({
      claim: (owner, id, options) =>
        Effect.map(
          claim(owner, id, options),
          Option.map((found) => ({ ...found, deliveries: found.deliveries.map((one) => ({ ...one, event: null })) }))
        )
    }),
    noticedBy: [compared]
  },
  {
    breakage: "stores the result of an ended claim",
    replace: ({ settle }, database) => ({
      settle: (owner, id, deliveryId, result) =>
        Effect.suspend(() => {
          const deliveries = deliveriesOf(database, owner, id)
          const one = deliveries.get(deliveryId)
          const claimed = one && { ...one, claimedUntil: result.claimedUntil }
          if (claimed) database.get(owner)?.deliveries.set(deliveryId, claimed)
          return settle(owner, id, deliveryId, result)
        })
    }),
    noticedBy: [compared]
  },
  {
    breakage: "claims many deliveries of a failing webhook",
    replace: ({ claim }, database) => ({
      claim: (owner, id, options) =>
        Effect.suspend(() => {
          changeAll(database, owner, () => ({ failingSince: null }))
          return claim(owner, id, options)
        })
    }),
    noticedBy: [compared]
  },
  {
    breakage: "counts failures from before a success",
    replace: ({ settle }, database) => ({
      settle: (owner, id, ...rest) =>
        Effect.suspend(() => {
          const failingSince = webhooksOf(database, owner).get(id)?.failingSince ?? null
          const restore = () => changeAll(database, owner, () => (failingSince === null ? {} : { failingSince }))
          return Effect.tap(settle(owner, id, ...rest), () => Effect.sync(restore))
        })
    }),
    noticedBy: [compared]
  },
  {
    breakage: "finds due webhooks in the order of their ids",
    replace: ({ findDue }) => ({
      findDue: (options) =>
        Effect.map(findDue(options), (due) => due.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : 1)))
    }),
    noticedBy: [compared]
  },
  {
    breakage: "settles the deliveries of this id in all organisations",
    replace: ({ settle }, database) => ({ settle: everywhere(database)(settle) }),
    noticedBy: [compared]
  },
  {
    breakage: "purges the deliveries of all organisations",
    replace: ({ purge }, database) => ({ purge: everywhere(database)(purge) }),
    noticedBy: [compared]
  },
  {
    breakage: "purges by time alone",
    replace: ({ purge }) => ({
      purge: (owner, options) => purge(owner, { ...options, keep: Number.MAX_SAFE_INTEGER })
    }),
    noticedBy: [compared]
  }
])
