import { ApiKey, ApiKeyRecord, ApiKeyStore, apiKeyOf, apiScopes } from "@solar-sites/core"
import { apiKeyStoreConformance } from "@solar-sites/testing"
import { DateTime, Effect, Option } from "effect"
import { notices, whereverIs } from "./breaking.ts"

const hides = "hides a key from every other organisation"
const pages = "lists in ascending order of id, in pages of any size"
const deletes = "returns the deleted key and never finds it again"
const rotates = "rotates: stores the replacement and brings the end of the old key forward"
const uses = "records the latest use of each key and changes nothing else"

notices(apiKeyStoreConformance, ApiKeyStore, [
  {
    breakage: "ignores the organisation in findById",
    replace: ({ findById }, database) => ({
      findById: (owner, id) => findById(whereverIs(database, "apiKeys", id) ?? owner, id)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in delete",
    replace: (intact, database) => ({
      delete: (owner, id) => intact.delete(whereverIs(database, "apiKeys", id) ?? owner, id)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in rotate",
    replace: ({ rotate }, database) => ({
      rotate: (owner, id, rotation) => rotate(whereverIs(database, "apiKeys", id) ?? owner, id, rotation)
    }),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in recordUses",
    replace: ({ recordUses }, database) => ({
      recordUses: (owner, all) =>
        Effect.forEach(all, (use) => recordUses(whereverIs(database, "apiKeys", use.apiKeyId) ?? owner, [use]), {
          discard: true
        })
    }),
    noticedBy: [hides, "ignores uses of deleted keys and of another organisation's"]
  },
  {
    breakage: "lists the keys of all organisations",
    replace: (_, database) => ({
      list: () =>
        Effect.sync(() => {
          const all = [...database.values()].flatMap(({ apiKeys }) => [...apiKeys.values()])
          return { items: all.map(apiKeyOf), hasMore: false }
        })
    }),
    noticedBy: [hides, pages]
  },
  {
    breakage: "lists the latest first",
    replace: ({ list }) => ({
      list: (owner, page) =>
        Effect.map(list(owner, page), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    }),
    noticedBy: [pages]
  },
  {
    breakage: "goes on finding deleted keys by their digest",
    replace: ({ findByDigest }) => {
      const found = new Map<string, Effect.Success<ReturnType<typeof findByDigest>>>()
      return {
        findByDigest: (digest) =>
          Effect.map(findByDigest(digest), (now) => {
            if (Option.isSome(now)) found.set(digest, now)
            return found.get(digest) ?? now
          })
      }
    },
    noticedBy: [deletes]
  },
  {
    breakage: "only marks keys as deleted",
    replace: ({ findById }, database) => {
      const marked = new Set<string>()
      return {
        findById: (owner, id) => (marked.has(id) ? Effect.succeedNone : findById(owner, id)),
        delete: Effect.fnUntraced(function* (owner, id) {
          const stored = database.get(owner)?.apiKeys.get(id)
          marked.add(id)
          return stored === undefined ? yield* Effect.die("absent") : apiKeyOf(stored)
        })
      }
    },
    noticedBy: [
      deletes,
      "finds, lists and deletes nothing where there is nothing",
      "lets one of two concurrent deletes succeed"
    ]
  },
  {
    breakage: "remembers the organisations of its keys",
    replace: ({ findAccess }) => {
      const found = new Map<string, Effect.Success<ReturnType<typeof findAccess>>>()
      return {
        findAccess: (owner, id) =>
          Effect.map(findAccess(owner, id), (now) => {
            if (Option.isNone(now)) return now
            found.set(id, found.get(id) ?? now)
            return found.get(id) ?? now
          })
      }
    },
    noticedBy: ["returns the current state of the organisation of a key"]
  },
  {
    breakage: "opens the organisation of a key to others",
    replace: ({ findAccess }, database) => ({
      findAccess: (owner, id) =>
        Effect.suspend(() => {
          const holder = [...database].find(([, { apiKeys }]) => apiKeys.has(id))?.[0]
          return findAccess(holder ?? owner, id)
        })
    }),
    noticedBy: [hides]
  },
  {
    breakage: "does not find expired keys",
    replace: ({ findByDigest }) => ({
      findByDigest: (digest) =>
        Effect.map(
          findByDigest(digest),
          Option.filter(({ apiKey }) => apiKey.expiresAt.epochMilliseconds > apiKey.createdAt.epochMilliseconds)
        )
    }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
  },
  {
    breakage: "knows no owners",
    replace: () => ({ findOwner: () => Effect.succeedNone }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
  },
  {
    breakage: "forgets who made a key",
    replace: ({ insert }) => ({
      insert: (owner, apiKey, digest) => insert(owner, new ApiKey({ ...apiKey, createdBy: null }), digest)
    }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
  },
  {
    breakage: "gives new keys all scopes",
    replace: ({ insert }) => ({
      insert: (owner, apiKey, digest) => insert(owner, new ApiKey({ ...apiKey, scopes: apiScopes }), digest)
    }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
  },
  {
    breakage: "gives replacements all scopes",
    replace: ({ rotate }) => ({
      rotate: (owner, id, rotation) =>
        rotate(owner, id, { ...rotation, replacement: { ...rotation.replacement, scopes: apiScopes } })
    }),
    noticedBy: [rotates]
  },
  {
    breakage: "extends the life of a key by rotating it",
    replace: ({ rotate }, database) => ({
      rotate: (owner, id, rotation) =>
        Effect.tap(rotate(owner, id, rotation), () => {
          const stored = database.get(owner)?.apiKeys.get(id)
          if (stored === undefined) return Effect.void
          const shortened = new ApiKeyRecord({ ...stored, expiresAt: rotation.expiresAt })
          database.get(owner)?.apiKeys.set(id, shortened)
          return Effect.void
        })
    }),
    noticedBy: ["never extends the life of a key by rotating it"]
  },
  {
    breakage: "leaves the old key alive when rotating",
    replace: ({ rotate }) => ({
      rotate: (owner, id, rotation) => rotate(owner, id, { ...rotation, expiresAt: DateTime.makeUnsafe(8e15) })
    }),
    noticedBy: [rotates]
  },
  {
    breakage: "stores the replacement before it looks for the key",
    replace: ({ insert, findById, rotate }) => ({
      rotate: Effect.fnUntraced(function* (owner, id, rotation) {
        const replacement = new ApiKey({ ...rotation.replacement, expiresAt: rotation.expiresAt })
        yield* Effect.catchTag(insert(owner, replacement, rotation.digest), "OrganisationNotFound", Effect.die)
        const old = yield* findById(owner, id)
        return Option.isNone(old) ? yield* rotate(owner, id, rotation) : replacement
      })
    }),
    noticedBy: ["stores no replacement for an absent key", rotates]
  },
  {
    breakage: "ends the old key before it stores the replacement",
    replace: ({ rotate }, database) => ({
      rotate: (owner, id, rotation) => {
        const stored = database.get(owner)?.apiKeys.get(id)
        if (stored !== undefined) {
          const shortened = new ApiKeyRecord({ ...stored, expiresAt: rotation.expiresAt })
          database.get(owner)?.apiKeys.set(id, shortened)
        }
        return rotate(owner, id, rotation)
      }
    }),
    noticedBy: ["leaves the old key as it was when its replacement cannot be stored"]
  },
  {
    breakage: "brings a deleted key back by rotating it",
    replace: ({ rotate }, database) => ({
      rotate: Effect.fnUntraced(function* (owner, id, rotation) {
        const stored = database.get(owner)?.apiKeys.get(id)
        const replacement = yield* rotate(owner, id, rotation)
        yield* Effect.yieldNow
        if (stored !== undefined) database.get(owner)?.apiKeys.set(id, stored)
        return replacement
      })
    }),
    noticedBy: ["rotates completely or not at all during a concurrent delete"]
  },
  {
    breakage: "overwrites a later use with an earlier one",
    replace: (_, database) => ({
      recordUses: (owner, all) =>
        Effect.sync(() => {
          for (const { apiKeyId, usedAt } of all) {
            const stored = database.get(owner)?.apiKeys.get(apiKeyId)
            if (stored === undefined) continue
            database.get(owner)?.apiKeys.set(apiKeyId, new ApiKeyRecord({ ...stored, lastUsedAt: usedAt }))
          }
        })
    }),
    noticedBy: [uses, "keeps the latest of concurrent uses"]
  },
  {
    breakage: "gives up recording at the first key that is gone",
    replace: ({ recordUses }, database) => ({
      recordUses: (owner, all) => {
        const gone = all.findIndex(({ apiKeyId }) => !database.get(owner)?.apiKeys.has(apiKeyId))
        return recordUses(owner, gone < 0 ? all : all.slice(0, gone))
      }
    }),
    noticedBy: ["ignores uses of deleted keys and of another organisation's"]
  }
])
