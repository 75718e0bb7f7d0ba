/**
 * An `ApiKeyStore` that lives in memory.
 *
 * @since 0.1.0
 */
import {
  ApiKey,
  type ApiKeyId,
  ApiKeyNotFound,
  type ApiKeySecret,
  ApiKeyStore,
  type OrganisationId,
  OrganisationNotFound
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { duplicate, MemoryDatabase, ownedBy, pageOf } from "./MemoryDatabase.ts"

const frozen = (apiKey: Pick<ApiKey, keyof ApiKey>): ApiKey =>
  Object.freeze(new ApiKey(apiKey, { disableChecks: true }))

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<ApiKeyStore, never, MemoryDatabase> = Layer.effect(
  ApiKeyStore,
  Effect.map(MemoryDatabase, (database) => {
    const isTaken = (apiKeyId: ApiKeyId, digest: ApiKeySecret.ApiKeyDigest): boolean =>
      [...database.values()].some(
        ({ apiKeys }) => apiKeys.has(apiKeyId) || [...apiKeys.values()].some((other) => other.digest === digest)
      )

    const insert = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      apiKey: ApiKey,
      digest: ApiKeySecret.ApiKeyDigest
    ) {
      const owner = database.get(organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      if (isTaken(apiKey.id, digest)) return yield* duplicate("ApiKeyStore.insert")
      owner.apiKeys.set(apiKey.id, { apiKey: frozen({ ...apiKey, organisationId }), digest })
    })

    const remove = Effect.fnUntraced(function* (organisationId: OrganisationId, apiKeyId: ApiKeyId) {
      const { apiKeys } = ownedBy(database, organisationId)
      const stored = apiKeys.get(apiKeyId)
      if (stored === undefined) return yield* new ApiKeyNotFound({ apiKeyId })
      apiKeys.delete(apiKeyId)
      return stored.apiKey
    })

    const rotate: ApiKeyStore["Service"]["rotate"] = Effect.fnUntraced(function* (
      organisationId,
      apiKeyId,
      { digest, expiresAt, replacement }
    ) {
      const { apiKeys } = ownedBy(database, organisationId)
      const stored = apiKeys.get(apiKeyId)
      if (stored === undefined) return yield* new ApiKeyNotFound({ apiKeyId })
      if (isTaken(replacement.id, digest)) return yield* duplicate("ApiKeyStore.rotate")
      const ending = frozen({ ...stored.apiKey, expiresAt: DateTime.min(stored.apiKey.expiresAt, expiresAt) })
      apiKeys.set(apiKeyId, { ...stored, apiKey: ending })
      apiKeys.set(replacement.id, { apiKey: frozen({ ...replacement, organisationId }), digest })
    })

    return ApiKeyStore.of({
      insert,
      findByDigest: (digest) =>
        Effect.sync(() => {
          for (const { apiKeys, organisation } of database.values()) {
            for (const stored of apiKeys.values()) {
              if (stored.digest === digest) return Option.some({ apiKey: stored.apiKey, organisation })
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
      findById: (organisationId, apiKeyId) =>
        Effect.sync(() => Option.fromUndefinedOr(ownedBy(database, organisationId).apiKeys.get(apiKeyId)?.apiKey)),
      findAccess: (organisationId, apiKeyId) =>
        Effect.sync(() => {
          const owner = database.get(organisationId)
          const stored = owner?.apiKeys.get(apiKeyId)
          if (owner === undefined || stored === undefined) return Option.none()
          return Option.some({ apiKey: stored.apiKey, organisation: owner.organisation })
        }),
      list: (organisationId, page) =>
        Effect.sync(() => {
          const { apiKeys } = ownedBy(database, organisationId)
          return pageOf(
            [...apiKeys.values()].map(({ apiKey }) => apiKey),
            page
          )
        }),
      delete: remove,
      rotate,
      recordUses: (organisationId, uses) =>
        Effect.sync(() => {
          const { apiKeys } = ownedBy(database, organisationId)
          for (const { apiKeyId, usedAt } of uses) {
            const stored = apiKeys.get(apiKeyId)
            if (stored === undefined) continue
            const lastUsedAt = DateTime.max(stored.apiKey.lastUsedAt ?? usedAt, usedAt)
            apiKeys.set(apiKeyId, { ...stored, apiKey: frozen({ ...stored.apiKey, lastUsedAt }) })
          }
        })
    })
  })
)
