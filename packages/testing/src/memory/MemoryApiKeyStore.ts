/**
 * `ApiKeyStore` in memory.
 *
 * @since 0.1.0
 */
import { ApiKeyRecord, ApiKeyStore, apiKeyOf, apiKeyRecords, makeUnchecked } from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, ownedBy, ownerOf } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<ApiKeyStore, never, MemoryDatabase> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return ApiKeyStore.of({
      ...(yield* apiKeyRecords),
      findByDigest: (digest) =>
        Effect.sync(() => {
          for (const { apiKeys, organisation } of database.values()) {
            for (const stored of apiKeys.values()) {
              if (stored.digest === digest) return Option.some({ apiKey: apiKeyOf(stored), organisation })
            }
          }
          return Option.none()
        }),
      findOwner: (apiKeyId) =>
        Effect.sync(() => {
          for (const [organisationId, { apiKeys }] of database) {
            if (apiKeys.has(apiKeyId)) return Option.some(organisationId)
          }
          return Option.none()
        }),
      findAccess: (organisationId, apiKeyId) =>
        Effect.sync(() => {
          const owner = ownerOf(database, organisationId)
          const stored = owner?.apiKeys.get(apiKeyId)
          if (owner === undefined || stored === undefined) return Option.none()
          return Option.some({ apiKey: apiKeyOf(stored), organisation: owner.organisation })
        }),
      recordUses: (organisationId, uses) =>
        Effect.sync(() => {
          const { apiKeys } = ownedBy(database, organisationId)
          for (const { apiKeyId, usedAt } of uses) {
            const stored = apiKeys.get(apiKeyId)
            if (stored === undefined) continue
            const lastUsedAt = DateTime.max(stored.lastUsedAt ?? usedAt, usedAt)
            apiKeys.set(apiKeyId, Object.freeze(makeUnchecked(ApiKeyRecord, { ...stored, lastUsedAt })))
          }
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
