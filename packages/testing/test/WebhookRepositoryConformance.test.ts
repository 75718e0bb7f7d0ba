import { maximumWebhooks, TooManyWebhooks, WebhookRecord, WebhookRepository, WebhookSigning } from "@solar-sites/core"
import { webhookRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"
import { lose } from "./EventBreaking.ts"
import { everywhere } from "./withoutOrganisation.ts"

const stored = "returns webhooks as inserted, alone and in pages"
const again = "keeps a webhook and its secret when it is inserted again, also at the same time"
const maximum = "stores no more webhooks than the maximum, also by concurrent inserts"
const changes = "changes the given members, and nothing when all are equal"
const secrets = "signs with the previous secret until its end, and keeps the two newest"
const own = "changes an organisation's own webhook where another one has the same id"
const events = "writes the events of webhooks, without query and secrets"
const deliveries = "returns deliveries as inserted, in pages, and the last one with the webhook"
const removed = "removes the deliveries of a deleted webhook, and not those of another organisation"
const retried = "makes a delivery due again in any status, unless it is claimed"

notices(webhookRepositoryConformance, WebhookRepository, [
  {
    breakage: "forgets the description of a new webhook",
    replace: ({ insert }) => ({
      insert: (owner, webhook, secret) => insert(owner, { ...webhook, description: null }, secret)
    }),
    noticedBy: [stored]
  },
  {
    breakage: "returns the new secret of a repeated insert, which is not stored",
    replace: ({ insert }) => ({
      insert: (owner, webhook, secret) =>
        Effect.map(insert(owner, webhook, secret), (issued) => ({ ...issued, secret }))
    }),
    noticedBy: [again]
  },
  {
    breakage: "counts the webhooks of all organisations",
    replace: ({ insert }, database) => ({
      insert: (owner, webhook, secret) => {
        const all = [...database.values()].reduce((sum, { webhooks }) => sum + webhooks.size, 0)
        return all >= maximumWebhooks
          ? Effect.fail(new TooManyWebhooks({ maximum: maximumWebhooks }))
          : insert(owner, webhook, secret)
      }
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "has a maximum that is one too high",
    replace: ({ insert }, database) => ({
      insert: (owner, webhook, secret) =>
        Effect.suspend(() => {
          const webhooks = database.get(owner)?.webhooks
          const [first] = webhooks ?? []
          if (first === undefined || webhooks?.size !== maximumWebhooks) return insert(owner, webhook, secret)
          webhooks.delete(first[0])
          return Effect.tap(insert(owner, webhook, secret), () => Effect.sync(() => webhooks.set(...first)))
        })
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "increments the version of a webhook that does not change",
    replace: ({ update }, database) => ({
      update: (owner, id, given, options) =>
        Effect.map(update(owner, id, given, options), (webhook) => {
          const one = database.get(owner)?.webhooks.get(id)
          const { version } = webhook
          if (one !== undefined)
            database.get(owner)?.webhooks.set(id, new WebhookRecord({ ...one, version: version + 1 }))
          return { ...webhook, version: version + 1 }
        })
    }),
    noticedBy: [changes]
  },
  {
    breakage: "ignores the expected versions of an update",
    replace: ({ update }) => ({ update: (owner, id, given, { at }) => update(owner, id, given, { at }) }),
    noticedBy: [changes]
  },
  {
    breakage: "keeps more than two secrets",
    replace: ({ rotateSecret }, database) => ({
      rotateSecret: (owner, id, rotation) =>
        Effect.suspend(() => {
          const before = database.get(owner)?.webhooks.get(id)?.secrets ?? []
          return Effect.map(rotateSecret(owner, id, rotation), (issued) => {
            const one = database.get(owner)?.webhooks.get(id)
            const secrets = [...(one?.secrets ?? []), ...before.slice(1)]
            if (one !== undefined) database.get(owner)?.webhooks.set(id, new WebhookRecord({ ...one, secrets }))
            return issued
          })
        })
    }),
    noticedBy: [secrets]
  },
  {
    breakage: "never ends the previous secret",
    replace: ({ findSigning }, database) => ({
      findSigning: (owner, id, at) =>
        Effect.map(
          findSigning(owner, id, at),
          Option.map((found) => {
            const secrets = database.get(owner)?.webhooks.get(id)?.secrets ?? []
            return { ...found, secrets: secrets.map(({ secret }) => secret) }
          })
        )
    }),
    noticedBy: [secrets]
  },
  {
    breakage: "signs with the new secret alone",
    replace: ({ findSigning }) => ({
      findSigning: (owner, id, at) =>
        Effect.map(
          findSigning(owner, id, at),
          Option.map((found) => ({ ...found, secrets: found.secrets.slice(0, 1) }))
        )
    }),
    noticedBy: [secrets]
  },
  {
    breakage: "rotates the secrets of all webhooks of this id",
    replace: ({ rotateSecret }, database) => ({ rotateSecret: everywhere(database)(rotateSecret) }),
    noticedBy: [own]
  },
  {
    breakage: "updates the webhooks of this id in all organisations",
    replace: ({ update }, database) => ({ update: everywhere(database)(update) }),
    noticedBy: [own]
  },
  {
    breakage: "deletes the webhooks of this id in all organisations",
    replace: (intact, database) => ({ delete: everywhere(database)(intact.delete) }),
    noticedBy: [own, removed]
  },
  {
    breakage: "writes no event for a new secret",
    replace: ({ rotateSecret }, database) => ({
      rotateSecret: (id, ...rest) => lose(database, id, rotateSecret(id, ...rest))
    }),
    noticedBy: [events]
  },
  {
    breakage: "writes no event for a deleted webhook",
    replace: (intact, database) => ({ delete: (id, ...rest) => lose(database, id, intact.delete(id, ...rest)) }),
    noticedBy: [events]
  },
  {
    breakage: "shows the query of a URL in its event",
    replace: ({ insert }, database) => ({
      insert: (owner, webhook, secret) =>
        Effect.tap(insert(owner, webhook, secret), () =>
          Effect.sync(() => {
            const kept = database.get(owner)?.events.kept
            const last = kept?.pop()
            if (last !== undefined)
              kept?.push({ ...last, changes: { ...last.changes, url: { from: null, to: webhook.url } } })
          })
        )
    }),
    noticedBy: [events]
  },
  {
    breakage: "does not know the last delivery",
    replace: ({ findById }) => ({
      findById: (owner, id) =>
        Effect.map(
          findById(owner, id),
          Option.map((found) => ({ ...found, lastDelivery: null }))
        )
    }),
    noticedBy: [deliveries]
  },
  {
    breakage: "lists the deliveries of all webhooks of this id",
    replace: ({ listDeliveries }, database) => ({
      listDeliveries: (_, id, page) =>
        Effect.map(
          Effect.forEach([...database.keys()], (owner) => listDeliveries(owner, id, page)),
          (pages) => ({ items: pages.flatMap(({ items }) => items), hasMore: false })
        )
    }),
    noticedBy: [removed]
  },
  {
    breakage: "retries the deliveries of this id in all organisations",
    replace: ({ retry }, database) => ({ retry: everywhere(database)(retry) }),
    noticedBy: [removed]
  },
  {
    breakage: "makes a claimed delivery due",
    replace: ({ retry }, database) => ({
      retry: (owner, id, deliveryId, at) =>
        Effect.suspend(() => {
          const all = database.get(owner)?.deliveries
          const one = all?.get(deliveryId)
          if (one !== undefined) all?.set(deliveryId, { ...one, claimedUntil: null })
          return retry(owner, id, deliveryId, at)
        })
    }),
    noticedBy: [retried]
  },
  {
    breakage: "keeps the first secret alone",
    replace: ({ insert }) => ({
      insert: (owner, webhook, secret) =>
        Effect.flatMap(WebhookSigning.generate, (other) =>
          Effect.map(insert(owner, webhook, other), (issued) => ({ ...issued, secret }))
        )
    }),
    noticedBy: [secrets, again]
  }
])
