/**
 * Rule service for API keys. Only callers authenticated as a person by the host manage keys. A
 * caller with a key cannot (specification, section 6), nor one with scopes or a limit to portfolios: its new
 * key could do more than the caller.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type ApiScope, apiScopes, hasAllScopes } from "../caller/ApiScope.ts"
import { ApiKeyId, CurrentCaller, type UserId } from "../caller/Caller.ts"
import { nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import { AccessChanges } from "../organisations/AccessChanges.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import {
  ApiKey,
  type ApiKeyAccess,
  type CreateApiKey,
  defaultApiKeyLife,
  type IssuedApiKey,
  type ListApiKeys
} from "./ApiKey.ts"
import { ApiKeyAuthenticator } from "./ApiKeyAuthenticator.ts"
import { ApiKeyNotFound, KeysNotManageable, type TooManyApiKeys } from "./ApiKeyErrors.ts"
import { apiKeyRecords } from "./ApiKeyRecords.ts"
import * as ApiKeySecret from "./ApiKeySecret.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"

type Refusal = KeysNotManageable | RepositoryError

/** Works in the organisation of the caller. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Creates a key. The secret is returned only here. Default lifetime: 365 days; default scopes:
     * all.
     */
    readonly create: (
      input: CreateApiKey
    ) => Effect.Effect<IssuedApiKey, OrganisationNotFound | TooManyApiKeys | Refusal, CurrentCaller>

    readonly get: (apiKeyId: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | Refusal, CurrentCaller>

    /** Oldest first, including expired keys; complete without `limit`. */
    readonly list: (query?: ListApiKeys) => Effect.Effect<List<ApiKey>, ValidationFailed | Refusal, CurrentCaller>

    /**
     * Deletes a key and returns it. The key is refused at once on this instance, within a second on
     * others.
     */
    readonly delete: (apiKeyId: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | Refusal, CurrentCaller>

    /**
     * Creates a key with the same name, scopes and lifetime. Its creator is the calling user; without
     * one, that of the old key, with its limits. The old key stays valid for the overlap (default
     * 24 h, zero allowed). With the maximum of live keys, only a rotation without overlap is
     * possible.
     */
    readonly rotate: (
      apiKeyId: ApiKeyId,
      options?: { readonly overlap?: Duration.Duration }
    ) => Effect.Effect<IssuedApiKey, ApiKeyNotFound | TooManyApiKeys | Refusal, CurrentCaller>

    /** The key of the caller; none for a caller without a key. Callers with a key may use it. */
    readonly inUse: Effect.Effect<Option.Option<ApiKey>, RepositoryError, CurrentCaller>

    /**
     * The key of the caller with its current organisation, which is null when it does not exist.
     */
    readonly accessInUse: Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError, CurrentCaller>

    /** The caller of a presented key. */
    readonly authenticate: ApiKeyAuthenticator["Service"]["authenticate"]
  }
>()("@solar-sites/core/ApiKeys") {
  static readonly layer: Layer.Layer<ApiKeys, never, Records | ApiKeyStore | ApiKeyAuthenticator | AccessChanges> =
    Layer.effect(
      ApiKeys,
      Effect.gen(function* () {
        const store = yield* ApiKeyStore
        const commands = yield* apiKeyRecords
        const { authenticate } = yield* ApiKeyAuthenticator
        const accessChanges = yield* AccessChanges
        const nextId = yield* nextIds

        const manager = Effect.flatMap(CurrentCaller, (caller) =>
          caller.apiKeyId === null && caller.scopes === undefined && caller.portfolioIds === undefined
            ? Effect.succeed(caller)
            : Effect.fail(new KeysNotManageable())
        )

        /** A new key without its end. `owner` is its creator when the caller is no user. */
        const draft = Effect.fnUntraced(function* (
          name: string,
          scopes: ReadonlyArray<ApiScope>,
          owner: UserId | null = null
        ) {
          const { organisationId, userId } = yield* manager
          const secret = yield* ApiKeySecret.generate
          const members = {
            id: ApiKeyId.make(yield* nextId),
            organisationId,
            name,
            prefix: ApiKeySecret.shownPrefix(secret),
            createdBy: userId ?? owner,
            createdAt: yield* DateTime.now,
            lastUsedAt: null,
            scopes: hasAllScopes(scopes) ? apiScopes : [...new Set(scopes)]
          }
          return { members, secret, digest: ApiKeySecret.digest(secret) }
        })

        const create = fnWithSpan("ApiKeys.create")(function* ({ expiresIn, name, scopes = apiScopes }: CreateApiKey) {
          const { digest, members, secret } = yield* draft(name, scopes)
          const expiresAt = DateTime.addDuration(members.createdAt, expiresIn ?? defaultApiKeyLife)
          const apiKey = new ApiKey({ ...members, expiresAt })
          yield* commands.insert(apiKey.organisationId, apiKey, digest)
          return { apiKey, secret }
        })

        const get = fnWithSpan("ApiKeys.get")(function* (apiKeyId: ApiKeyId) {
          const { organisationId } = yield* manager
          const found = yield* commands.findById(organisationId, apiKeyId)
          if (Option.isNone(found)) return yield* new ApiKeyNotFound({ apiKeyId })
          return found.value
        })

        const list = fnWithSpan("ApiKeys.list")(function* (query: ListApiKeys = {}) {
          const { organisationId } = yield* manager
          return yield* listPages("api-keys", query, (page) => commands.list(organisationId, page))
        })

        const remove = fnWithSpan("ApiKeys.delete")(function* (apiKeyId: ApiKeyId) {
          const { organisationId } = yield* manager
          const deleted = yield* commands.delete(organisationId, apiKeyId)
          yield* accessChanges.publish({ organisationId, apiKeyId })
          return deleted
        }, Effect.uninterruptible)

        const rotate = fnWithSpan("ApiKeys.rotate")(function* (
          apiKeyId: ApiKeyId,
          { overlap = Duration.hours(24) }: { readonly overlap?: Duration.Duration } = {}
        ) {
          const { createdBy, name, organisationId, scopes } = yield* get(apiKeyId)
          const { digest, members: replacement, secret } = yield* draft(name, scopes, createdBy)
          const expiresAt = DateTime.addDuration(replacement.createdAt, overlap)
          const apiKey = yield* commands.rotate(organisationId, apiKeyId, { replacement, digest, expiresAt })
          yield* accessChanges.publish({ organisationId, apiKeyId })
          return { apiKey, secret }
        }, Effect.uninterruptible)

        const inUse = Effect.flatMap(CurrentCaller, ({ apiKeyId, organisationId }) =>
          apiKeyId === null ? Effect.succeed(Option.none<ApiKey>()) : commands.findById(organisationId, apiKeyId)
        )

        const accessInUse = Effect.flatMap(CurrentCaller, ({ apiKeyId, organisationId }) =>
          apiKeyId === null ? Effect.succeed(Option.none<ApiKeyAccess>()) : store.findAccess(organisationId, apiKeyId)
        )

        return ApiKeys.of({ create, get, list, delete: remove, rotate, inUse, accessInUse, authenticate })
      })
    )
}
