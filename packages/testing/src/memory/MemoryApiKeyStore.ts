/** `ApiKeyStore` in memory. */
import { ApiKeyRecord, ApiKeyStore, apiKeyKind, apiKeyOf, makeUnchecked } from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, type MemoryOrganisation, organisationOf, putRecord, recordsOf } from "./MemoryDatabase.ts"

const accessOf = (owner: MemoryOrganisation | undefined, stored: ApiKeyRecord | undefined) => {
  const organisation = organisationOf(owner)
  const isFound = organisation !== undefined && stored !== undefined
  return isFound ? Option.some({ apiKey: apiKeyOf(stored), organisation }) : Option.none()
}

export const layer: Layer.Layer<ApiKeyStore, never, MemoryDatabase> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return ApiKeyStore.of({
      findAcrossOrganisations: (key) =>
        Effect.sync(() => {
          const isFound = (stored: ApiKeyRecord) =>
            "digest" in key ? stored.digest === key.digest : stored.id === key.apiKeyId
          for (const owner of database.values()) {
            for (const stored of recordsOf(owner, apiKeyKind).values()) {
              if (isFound(stored)) return accessOf(owner, stored)
            }
          }
          return Option.none()
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
)
