import { ApiKeyRecord, ApiKeyStore, maximumLiveApiKeys, TooManyApiKeys } from "@solar-sites/core"
import { apiKeyStoreConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { type Database, notices } from "./breaking.ts"

const maximum =
  "keeps the maximum of live keys when some are inserted, also at the same time, have expired or are rotated"
const life = "gives a replacement the original lifetime of the old key, also after earlier rotations"

type Owner = Parameters<Database["get"]>[0]

/** Runs the effect where the given keys are out of sight, and puts them back. */
const without =
  (database: Database, owner: Owner, isHidden: (id: string) => boolean) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const keys = database.get(owner)?.apiKeys
      const hidden = [...(keys ?? [])].filter(([id]) => isHidden(id))
      for (const [id] of hidden) keys?.delete(id)
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          for (const [id, key] of hidden) keys?.set(id, key)
        })
      )
    })

const refuse = Effect.fail(new TooManyApiKeys({ maximum: maximumLiveApiKeys }))

notices(apiKeyStoreConformance, ApiKeyStore, [
  {
    breakage: "has no maximum",
    replace: ({ insert }, database) => ({
      insert: (owner, apiKey, digest) => without(database, owner, () => true)(insert(owner, apiKey, digest))
    }),
    noticedBy: [maximum, "refuses a duplicate id or digest"]
  },
  {
    breakage: "counts the keys of all organisations",
    replace: ({ insert }, database) => ({
      insert: (owner, apiKey, digest) => {
        const all = [...database.values()].reduce((sum, { apiKeys }) => sum + apiKeys.size, 0)
        return all >= maximumLiveApiKeys ? refuse : insert(owner, apiKey, digest)
      }
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "counts keys that have ended",
    replace: ({ insert }, database) => ({
      insert: (owner, apiKey, digest) =>
        (database.get(owner)?.apiKeys.size ?? 0) >= maximumLiveApiKeys ? refuse : insert(owner, apiKey, digest)
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "counts first and inserts later",
    replace: ({ insert }, database) => ({
      insert: (owner, apiKey, digest) =>
        Effect.suspend(() => {
          const live = [...(database.get(owner)?.apiKeys.values() ?? [])].filter((key) =>
            DateTime.isGreaterThan(key.expiresAt, apiKey.createdAt)
          )
          const inserted = without(database, owner, () => true)(insert(owner, apiKey, digest))
          return live.length >= maximumLiveApiKeys ? refuse : Effect.andThen(Effect.yieldNow, inserted)
        })
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "rotates beyond the maximum",
    replace: ({ rotate }, database) => ({
      rotate: (owner, id, made) => without(database, owner, (other) => other !== id)(rotate(owner, id, made))
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "counts a key that ends at once with its rotation",
    replace: ({ rotate }, database) => ({
      rotate: (owner, id, made) =>
        (database.get(owner)?.apiKeys.size ?? 0) >= maximumLiveApiKeys ? refuse : rotate(owner, id, made)
    }),
    noticedBy: [maximum]
  },
  {
    breakage: "gives a replacement what a rotation has left of a life",
    replace: ({ rotate }, database) => ({
      rotate: (owner, id, made) =>
        Effect.suspend(() => {
          const keys = database.get(owner)?.apiKeys
          const stored = keys?.get(id)
          if (stored !== undefined) keys?.set(id, new ApiKeyRecord({ ...stored, issuedUntil: stored.expiresAt }))
          return rotate(owner, id, made)
        })
    }),
    noticedBy: [life]
  }
])
