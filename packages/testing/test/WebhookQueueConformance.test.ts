import { WebhookQueue } from "@solar-sites/core"
import { webhookQueueConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"
import { changeAll, deliveriesOf, webhooksOf } from "./WebhookQueueBreaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const compared = "dispatches, claims, settles and purges deliveries as core does, in organisations with the same ids"
const concurrent = "delivers each event once to a webhook while instances dispatch and events are written"

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
    noticedBy: [compared, concurrent]
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
    noticedBy: [compared]
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
    noticedBy: [compared]
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
    noticedBy: [compared]
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
    noticedBy: [compared]
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
    noticedBy: [compared]
  },
  {
    breakage: "says that no organisation is behind",
    replace: () => ({ findUndispatched: () => Effect.succeed([]) }),
    noticedBy: [compared]
  }
])
