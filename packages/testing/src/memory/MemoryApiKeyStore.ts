/**
 * `ApiKeyStore` in memory.
 *
 * @since 0.1.0
 */
import { ApiKeyRecord, ApiKeyStore, apiKeyKind, apiKeyOf, apiKeyRecords, makeUnchecked } from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, type MemoryOrganisation, organisationOf, putRecord, recordsOf } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

const accessOf = (owner: MemoryOrganisation | undefined, stored: ApiKeyRecord | undefined) => {
  const organisation = organisationOf(owner)
  const isFound = organisation !== undefined && stored !== undefined
  return isFound ? Option.some({ apiKey: apiKeyOf(stored), organisation }) : Option.none()
}

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
          for (const owner of database.values()) {
            for (const stored of recordsOf(owner, apiKeyKind).values()) {
              if (stored.digest === digest) return accessOf(owner, stored)
            }
          }
          return Option.none()
        }),
      findOwner: (apiKeyId) =>
        Effect.sync(() => {
          const owner = [...database].find(([, one]) => recordsOf(one, apiKeyKind).has(apiKeyId))
          return Option.map(Option.fromUndefinedOr(owner), ([organisationId]) => organisationId)
        }),
      findAccess: (organisationId, apiKeyId) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          return accessOf(owner, recordsOf(owner, apiKeyKind).get(apiKeyId))
        }),
      recordUses: (organisationId, uses) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          for (const { apiKeyId, usedAt } of uses) {
            const stored = recordsOf(owner, apiKeyKind).get(apiKeyId)
            if (owner === undefined || stored === undefined) continue
            const lastUsedAt = DateTime.max(stored.lastUsedAt ?? usedAt, usedAt)
            putRecord(owner, apiKeyKind, makeUnchecked(ApiKeyRecord, { ...stored, lastUsedAt }))
          }
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
