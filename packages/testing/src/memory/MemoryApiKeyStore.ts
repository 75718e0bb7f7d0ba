/**
 * `ApiKeyStore` in memory.
 *
 * @since 0.1.0
 */
import {
  ApiKey,
  type ApiKeyId,
  ApiKeyNotFound,
  type ApiKeySecret,
  ApiKeyStore,
  eventOrigins,
  maximumLiveApiKeys,
  type OrganisationId,
  OrganisationNotFound,
  TooManyApiKeys
} from "@solar-sites/core"
import { DateTime, Effect, Layer, Option } from "effect"
import { duplicate, MemoryDatabase, type MemoryOrganisation, ownedBy, ownerOf, pageOf } from "./MemoryDatabase.ts"
import { apiKeyEvent, recordEvents, rotationEvent } from "./MemoryEventLog.ts"

const frozen = (apiKey: Pick<ApiKey, keyof ApiKey>): ApiKey =>
  Object.freeze(new ApiKey(apiKey, { disableChecks: true }))

type ApiKeys = MemoryOrganisation["apiKeys"]

/** True when the organisation has the maximum of keys that are live at this instant. */
const isFull = (others: ReadonlyArray<ApiKey>, at: DateTime.Utc): boolean =>
  others.filter(({ expiresAt }) => DateTime.isGreaterThan(expiresAt, at)).length >= maximumLiveApiKeys

const keysIn = (apiKeys: ApiKeys): ReadonlyArray<ApiKey> => [...apiKeys.values()].map(({ apiKey }) => apiKey)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<ApiKeyStore, never, MemoryDatabase> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins

    const isTaken = (apiKeyId: ApiKeyId, digest: ApiKeySecret.ApiKeyDigest): boolean =>
      [...database.values()].some(
        ({ apiKeys }) => apiKeys.has(apiKeyId) || [...apiKeys.values()].some((other) => other.digest === digest)
      )

    const insert = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      apiKey: ApiKey,
      digest: ApiKeySecret.ApiKeyDigest
    ) {
      const origin = yield* originOf(organisationId)
      const owner = ownerOf(database, organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      if (isFull(keysIn(owner.apiKeys), apiKey.createdAt))
        return yield* new TooManyApiKeys({ maximum: maximumLiveApiKeys })
      if (isTaken(apiKey.id, digest)) return yield* duplicate("ApiKeyStore.insert")
      const issuedUntil = apiKey.expiresAt
      owner.apiKeys.set(apiKey.id, { apiKey: frozen({ ...apiKey, organisationId }), digest, issuedUntil })
      recordEvents(owner, origin, [apiKeyEvent("api_key.created", null, apiKey)])
    })

    const remove = Effect.fnUntraced(function* (organisationId: OrganisationId, apiKeyId: ApiKeyId) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const stored = owned.apiKeys.get(apiKeyId)
      if (stored === undefined) return yield* new ApiKeyNotFound({ apiKeyId })
      owned.apiKeys.delete(apiKeyId)
      recordEvents(owned, origin, [apiKeyEvent("api_key.deleted", stored.apiKey, null)])
      return stored.apiKey
    })

    const rotate: ApiKeyStore["Service"]["rotate"] = Effect.fnUntraced(function* (
      organisationId,
      apiKeyId,
      { digest, expiresAt, replacement }
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const { apiKeys } = owned
      const stored = apiKeys.get(apiKeyId)
      if (stored === undefined) return yield* new ApiKeyNotFound({ apiKeyId })
      const ending = frozen({ ...stored.apiKey, expiresAt: DateTime.min(stored.apiKey.expiresAt, expiresAt) })
      const others = keysIn(apiKeys).filter(({ id }) => id !== apiKeyId)
      if (isFull([...others, ending], replacement.createdAt))
        return yield* new TooManyApiKeys({ maximum: maximumLiveApiKeys })
      if (isTaken(replacement.id, digest)) return yield* duplicate("ApiKeyStore.rotate")
      const life = DateTime.distance(stored.apiKey.createdAt, stored.issuedUntil)
      const issuedUntil = DateTime.addDuration(replacement.createdAt, life)
      const apiKey = frozen({ ...replacement, organisationId, expiresAt: issuedUntil })
      apiKeys.set(apiKeyId, { ...stored, apiKey: ending })
      apiKeys.set(apiKey.id, { apiKey, digest, issuedUntil })
      recordEvents(owned, origin, [rotationEvent(stored.apiKey, ending, apiKey.id)])
      return apiKey
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
          const owner = ownerOf(database, organisationId)
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
