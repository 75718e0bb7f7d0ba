import { WebhookQueue } from "@solar-sites/core"
import { webhookQueueConformance } from "@solar-sites/testing"
import { DateTime, Effect, Option } from "effect"
import { notices } from "./breaking.ts"

const purges = "dispatches, claims, settles and purges deliveries as core does, in organisations with the same ids"
const oldest = "finds the oldest pending delivery of enabled webhooks, where a disabled one has the same id"

notices(webhookQueueConformance, WebhookQueue, [
  {
    breakage: "judges the age of the delivery of this id in any organisation",
    replace: ({ purge }, database) => ({
      purge: (owner, options) =>
        Effect.suspend(() => {
          const old = [...database.values()]
            .flatMap(({ deliveries }) => [...deliveries.values()])
            .filter(({ at }) => DateTime.isLessThan(at, options.before))
          for (const { id } of old) database.get(owner)?.deliveries.delete(id)
          return purge(owner, options)
        })
    }),
    noticedBy: [purges]
  },
  {
    breakage: "takes the oldest delivery of disabled webhooks into account",
    replace: (_, database) => ({
      oldestPending: Effect.sync(() => {
        const pending = [...database.values()]
          .flatMap(({ deliveries }) => [...deliveries.values()])
          .filter(({ status }) => status === "pending")
        return Option.fromNullishOr(pending.map(({ createdAt }) => createdAt).sort(DateTime.Order)[0])
      })
    }),
    noticedBy: [oldest]
  }
])
