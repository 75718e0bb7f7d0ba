import { ApiKey, ApiKeyRecord, ApiKeyStore } from "@solar-sites/core"
import { apiKeyStoreConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices, whereverIs } from "./breaking.ts"

const hides = "hides a key from every other organisation"
const deletes = "never finds a deleted key again"
const uses = "records the latest use of each key and changes nothing else"

notices(apiKeyStoreConformance, ApiKeyStore, [
  {
    breakage: "finds keys by their digest alone",
    replace: ({ findAcrossOrganisations }) => ({
      findAcrossOrganisations: (key) => ("digest" in key ? findAcrossOrganisations(key) : Effect.succeedNone)
    }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
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
    breakage: "goes on finding deleted keys by their digest",
    replace: ({ findAcrossOrganisations }) => {
      const found = new Map<string, Effect.Success<ReturnType<typeof findAcrossOrganisations>>>()
      return {
        findAcrossOrganisations: (key) =>
          Effect.map(findAcrossOrganisations(key), (now) => {
            const text = JSON.stringify(key)
            if (Option.isSome(now)) found.set(text, now)
            return found.get(text) ?? now
          })
      }
    },
    noticedBy: [deletes]
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
    replace: ({ findAcrossOrganisations }) => ({
      findAcrossOrganisations: (key) =>
        Effect.map(
          findAcrossOrganisations(key),
          Option.filter(({ apiKey }) => apiKey.expiresAt.epochMilliseconds > apiKey.createdAt.epochMilliseconds)
        )
    }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
  },
  {
    breakage: "forgets the portfolios of a key in a look-up",
    replace: ({ findAcrossOrganisations }) => ({
      findAcrossOrganisations: (key) =>
        Effect.map(
          findAcrossOrganisations(key),
          Option.map((access) => ({ ...access, apiKey: new ApiKey({ ...access.apiKey, portfolioIds: null }) }))
        )
    }),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
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
