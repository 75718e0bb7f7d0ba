import { type OrganisationId, type WebhookId, WebhookQueue, WebhookRecord } from "@solar-sites/core"
import { webhookQueueConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { type Database, notices } from "./breaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const once = "creates a pending delivery of each matching event, once per webhook"
const begins = "begins after the last event, when a webhook is new and when it is enabled again"
const itself = "sends the events of other webhooks, and not the creation of a webhook to itself"
const limited = "reads at most as many events as the limit, and goes on from there"
const concurrent = "delivers each event once to a webhook while instances dispatch and events are written"
const ownEvents = "dispatches the events of one organisation to its own webhooks alone"
const claims = "claims due deliveries with their events and secrets, none in two claims"
const results = "stores the result of an attempt under its claim alone"
const oneAtATime = "claims one delivery at a time while attempts fail"
const disables = "disables a webhook that failed for long enough, with one event, and ends its deliveries"
const inTurn = "finds webhooks with due deliveries, the longest unclaimed first"
const ownClaims = "claims and settles deliveries of one organisation alone"
const purges = "purges deliveries that ended long ago or are too many, never pending ones"

type Webhooks = NonNullable<ReturnType<Database["get"]>>["webhooks"]
type Stored = NonNullable<ReturnType<Webhooks["get"]>>

/** The webhooks of the organisation. */
const webhooksOf = (database: Database, owner: OrganisationId): Webhooks => database.get(owner)?.webhooks ?? new Map()

/** The deliveries of a webhook of the organisation. */
const deliveriesOf = (database: Database, owner: OrganisationId, id: WebhookId) =>
  new Map([...(database.get(owner)?.deliveries ?? [])].filter(([, { webhookId }]) => webhookId === id))

/** Changes all webhooks of an organisation. */
const changeAll = (database: Database, owner: OrganisationId, change: (one: Stored) => Partial<Stored>): void => {
  const webhooks = webhooksOf(database, owner)
  for (const [id, one] of webhooks) webhooks.set(id, new WebhookRecord({ ...one, ...change(one) }))
}

notices(webhookQueueConformance, WebhookQueue, [
  {
    breakage: "does not move the position of a webhook",
    replace: ({ dispatch }, database) => ({
      dispatch: (owner, options) =>
        Effect.suspend(() => {
          const before = new Map(
            [...webhooksOf(database, owner)].map(([id, { dispatchedSequence }]) => [id, dispatchedSequence])
          )
          return Effect.map(dispatch(owner, options), () => {
            changeAll(database, owner, ({ dispatchedSequence, id }) => ({
              dispatchedSequence: before.get(id) ?? dispatchedSequence
            }))
            return 0
          })
        })
    }),
    noticedBy: [once, concurrent]
  },
  {
    breakage: "moves the position without reading the events",
    replace: ({ dispatch }, database) => ({
      dispatch: (owner, options) =>
        Effect.tap(dispatch(owner, options), () =>
          Effect.sync(() =>
            changeAll(database, owner, () => ({ dispatchedSequence: database.get(owner)?.events.last ?? 0 }))
          )
        )
    }),
    noticedBy: [limited]
  },
  {
    breakage: "sends all events to every webhook",
    replace: ({ dispatch }, database) => ({
      dispatch: (owner, options) =>
        Effect.suspend(() => {
          changeAll(database, owner, () => ({ events: ["*"] }))
          return dispatch(owner, options)
        })
    }),
    noticedBy: [once]
  },
  {
    breakage: "begins with the first event of the organisation",
    replace: ({ dispatch }, database) => ({
      dispatch: (owner, options) =>
        Effect.suspend(() => {
          changeAll(database, owner, ({ id }) =>
            deliveriesOf(database, owner, id).size === 0 ? { dispatchedSequence: 0 } : {}
          )
          return dispatch(owner, options)
        })
    }),
    noticedBy: [begins]
  },
  {
    breakage: "sends nothing about webhooks",
    replace: ({ dispatch }, database) => ({
      dispatch: (owner, options) =>
        Effect.tap(dispatch(owner, options), () =>
          Effect.sync(() => {
            const { deliveries } = database.get(owner) ?? { deliveries: new Map() }
            for (const [id, { type }] of deliveries) if (type.startsWith("webhook.")) deliveries.delete(id)
          })
        )
    }),
    noticedBy: [itself]
  },
  {
    breakage: "reads the position first and moves it later",
    replace: ({ dispatch }, database) => ({
      dispatch: (owner, options) =>
        Effect.suspend(() => {
          const before = new Map(
            [...webhooksOf(database, owner)].map(([id, { dispatchedSequence }]) => [id, dispatchedSequence])
          )
          return Effect.andThen(
            Effect.yieldNow,
            Effect.suspend(() => {
              changeAll(database, owner, ({ dispatchedSequence, id }) => ({
                dispatchedSequence: before.get(id) ?? dispatchedSequence
              }))
              return dispatch(owner, options)
            })
          )
        })
    }),
    noticedBy: [concurrent]
  },
  {
    breakage: "dispatches the events of all organisations",
    replace: ({ dispatch }, database) => ({ dispatch: everywhere(database)(dispatch) }),
    noticedBy: [ownEvents]
  },
  {
    breakage: "says that no organisation is behind",
    replace: () => ({ findUndispatched: () => Effect.succeed([]) }),
    noticedBy: [once, ownEvents]
  },
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
    noticedBy: [claims]
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
    noticedBy: [claims]
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
    noticedBy: [results]
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
    noticedBy: [oneAtATime]
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
    noticedBy: [disables]
  },
  {
    breakage: "finds due webhooks in the order of their ids",
    replace: ({ findDue }) => ({
      findDue: (options) =>
        Effect.map(findDue(options), (due) => due.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : 1)))
    }),
    noticedBy: [inTurn]
  },
  {
    breakage: "settles the deliveries of this id in all organisations",
    replace: ({ settle }, database) => ({ settle: everywhere(database)(settle) }),
    noticedBy: [ownClaims]
  },
  {
    breakage: "purges the deliveries of all organisations",
    replace: ({ purge }, database) => ({ purge: everywhere(database)(purge) }),
    noticedBy: [ownClaims]
  },
  {
    breakage: "purges by time alone",
    replace: ({ purge }) => ({
      purge: (owner, options) => purge(owner, { ...options, keep: Number.MAX_SAFE_INTEGER })
    }),
    noticedBy: [purges]
  }
])
