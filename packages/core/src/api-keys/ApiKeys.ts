/**
 * Rule service for API keys. Only callers authenticated as a person by the host manage keys. A
 * caller with a key cannot (specification, section 6), nor one with scopes: its new key could do more than the
 * caller. A caller that is limited to portfolios manages the keys within its limit; others are absent.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { apiScopes, hasAllScopes } from "../caller/ApiScope.ts"
import { ApiKeyId, CurrentCaller } from "../caller/Caller.ts"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { bothLimits, isWithinLimit, type PortfolioLimit } from "../caller/PortfolioLimit.ts"
import { CallerLimited } from "../caller/Reach.ts"
import { nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { filteredPage } from "../lists/FilteredPages.ts"
import { listPages } from "../lists/List.ts"
import type { List, PageRequest } from "../lists/Page.ts"
import { AccessChanges } from "../organisations/AccessChanges.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import { presentPortfolios } from "../sites/PresentPortfolios.ts"
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
import { ApiKeyOwners } from "./ApiKeyOwners.ts"
import { apiKeyRecords } from "./ApiKeyRecords.ts"
import * as ApiKeySecret from "./ApiKeySecret.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"

type Refusal = KeysNotManageable | RepositoryError

/** What a new key has from its input, or from the key that it replaces. */
type Draft = Pick<ApiKey, "createdBy" | "name" | "portfolioIds" | "scopes">

const withPresent = (key: ApiKey, present: ReadonlySet<PortfolioId>): ApiKey => {
  const { portfolioIds } = key
  if (portfolioIds === null || portfolioIds.every((id) => present.has(id))) return key
  return makeUnchecked(ApiKey, { ...key, portfolioIds: portfolioIds.filter((id) => present.has(id)) })
}

/** Works in the organisation of the caller. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Creates a key. The secret is returned only here. Default lifetime: 365 days; default scopes: all; default
     * portfolios: those of the caller. A caller with a limit cannot create a key without one.
     */
    readonly create: (
      input: CreateApiKey
    ) => Effect.Effect<
      IssuedApiKey,
      OrganisationNotFound | PortfoliosNotFound | CallerLimited | TooManyApiKeys | Refusal,
      CurrentCaller
    >

    readonly get: (apiKeyId: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | Refusal, CurrentCaller>

    /** Oldest first, including expired keys; complete without `limit`. */
    readonly list: (query?: ListApiKeys) => Effect.Effect<List<ApiKey>, ValidationFailed | Refusal, CurrentCaller>

    /**
     * Deletes a key and returns it. The key is refused at once on this instance, within a second on
     * others.
     */
    readonly delete: (apiKeyId: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | Refusal, CurrentCaller>

    /**
     * Creates a key with the same name, scopes and lifetime, and with the portfolios that count for the old one now.
     * Its creator is the calling user; without one, that of the old key, with its limits. The old key stays valid for the overlap (default
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

    /**
     * The portfolios that the caller is limited to and that are there; null without a limit. Every caller may read
     * them.
     */
    readonly portfoliosInUse: Effect.Effect<PortfolioLimit, RepositoryError, CurrentCaller>

    /** The caller of a presented key. */
    readonly authenticate: ApiKeyAuthenticator["Service"]["authenticate"]
  }
>()("@solar-sites/core/ApiKeys") {
  static readonly layer: Layer.Layer<ApiKeys, never, Records | ApiKeyStore | ApiKeyAuthenticator | AccessChanges> =
    Layer.effect(
      ApiKeys,
      Effect.gen(function* () {
        const records = yield* Records
        const owners = yield* ApiKeyOwners
        const store = yield* ApiKeyStore
        const commands = yield* apiKeyRecords
        const { authenticate } = yield* ApiKeyAuthenticator
        const accessChanges = yield* AccessChanges
        const nextId = yield* nextIds

        const manager = Effect.flatMap(CurrentCaller, (caller) =>
          caller.apiKeyId === null && caller.scopes === undefined
            ? Effect.succeed({ ...caller, limit: caller.portfolioIds ?? null })
            : Effect.fail(new KeysNotManageable())
        )

        /** The keys without portfolios that are deleted. */
        const shown = Effect.fnUntraced(function* (organisationId: OrganisationId, keys: ReadonlyArray<ApiKey>) {
          const ids = keys.flatMap(({ portfolioIds }) => portfolioIds ?? [])
          if (ids.length === 0) return keys
          const present = yield* presentPortfolios(records, "ApiKeys.portfolios", organisationId, ids)
          return keys.map((key) => withPresent(key, present))
        })

        const shownOne = (organisationId: OrganisationId, found: Option.Option<ApiKey>) =>
          Effect.map(shown(organisationId, Option.toArray(found)), ([key]) => Option.fromUndefinedOr(key))

        /** A new key without its end. `createdBy` is its creator when the caller is no user. */
        const draft = Effect.fnUntraced(function* ({ createdBy, name, portfolioIds, scopes }: Draft) {
          const { organisationId, userId } = yield* manager
          const secret = yield* ApiKeySecret.generate
          const members = {
            id: ApiKeyId.make(yield* nextId),
            organisationId,
            name,
            prefix: ApiKeySecret.shownPrefix(secret),
            createdBy: userId ?? createdBy,
            createdAt: yield* DateTime.now,
            lastUsedAt: null,
            scopes: hasAllScopes(scopes) ? apiScopes : [...new Set(scopes)],
            portfolioIds
          }
          return { members, secret, digest: ApiKeySecret.digest(secret) }
        })

        const create = fnWithSpan("ApiKeys.create")(function* (input: CreateApiKey) {
          const { limit } = yield* manager
          const { expiresIn, name, portfolioIds = limit, scopes = apiScopes } = input
          if (portfolioIds === null && limit !== null) return yield* new CallerLimited()
          const { digest, members, secret } = yield* draft({ name, scopes, portfolioIds, createdBy: null })
          const expiresAt = DateTime.addDuration(members.createdAt, expiresIn ?? defaultApiKeyLife)
          const apiKey = new ApiKey({ ...members, expiresAt })
          yield* commands.insert(apiKey.organisationId, apiKey, digest, limit)
          return { apiKey, secret }
        })

        const get = fnWithSpan("ApiKeys.get")(function* (apiKeyId: ApiKeyId) {
          const { limit, organisationId } = yield* manager
          const found = yield* shownOne(organisationId, yield* commands.findById(organisationId, apiKeyId))
          if (Option.isNone(found) || !isWithinLimit(found.value.portfolioIds, limit)) {
            return yield* new ApiKeyNotFound({ apiKeyId })
          }
          return found.value
        })

        const list = fnWithSpan("ApiKeys.list")(function* (query: ListApiKeys = {}) {
          const { limit, organisationId } = yield* manager
          const pageOf = (page: PageRequest<ApiKeyId>) =>
            Effect.flatMap(commands.list(organisationId, page), ({ hasMore, items }) =>
              Effect.map(shown(organisationId, items), (items) => ({ items, hasMore }))
            )
          return yield* listPages("api-keys", query, (page) =>
            limit === null
              ? pageOf(page)
              : filteredPage(page, ({ portfolioIds }: ApiKey) => isWithinLimit(portfolioIds, limit), pageOf)
          )
        })

        const remove = fnWithSpan("ApiKeys.delete")(function* (apiKeyId: ApiKeyId) {
          const { organisationId } = yield* manager
          const { portfolioIds } = yield* get(apiKeyId)
          const deleted = yield* commands.delete(organisationId, apiKeyId)
          yield* accessChanges.publish({ organisationId, apiKeyId })
          return makeUnchecked(ApiKey, { ...deleted, portfolioIds })
        }, Effect.uninterruptible)

        const rotate = fnWithSpan("ApiKeys.rotate")(function* (
          apiKeyId: ApiKeyId,
          { overlap = Duration.hours(24) }: { readonly overlap?: Duration.Duration } = {}
        ) {
          const old = yield* get(apiKeyId)
          const { createdBy, organisationId } = old
          const limit = createdBy === null ? null : yield* owners.portfolioIdsOf(organisationId, createdBy)
          const portfolioIds = bothLimits(old.portfolioIds, limit)
          const { digest, members: replacement, secret } = yield* draft({ ...old, portfolioIds })
          const expiresAt = DateTime.addDuration(replacement.createdAt, overlap)
          const apiKey = yield* commands.rotate(organisationId, apiKeyId, { replacement, digest, expiresAt })
          yield* accessChanges.publish({ organisationId, apiKeyId })
          return { apiKey, secret }
        }, Effect.uninterruptible)

        const inUse = Effect.flatMap(CurrentCaller, ({ apiKeyId, organisationId }) =>
          apiKeyId === null
            ? Effect.succeed(Option.none<ApiKey>())
            : Effect.flatMap(commands.findById(organisationId, apiKeyId), (found) => shownOne(organisationId, found))
        )

        const accessInUse = Effect.gen(function* () {
          const { apiKeyId, organisationId } = yield* CurrentCaller
          if (apiKeyId === null) return Option.none<ApiKeyAccess>()
          const access = yield* store.findAccess(organisationId, apiKeyId)
          const [apiKey] = yield* shown(organisationId, Option.toArray(Option.map(access, ({ apiKey }) => apiKey)))
          return Option.map(access, (found) => ({ ...found, apiKey: apiKey ?? found.apiKey }))
        })

        const portfoliosInUse = Effect.gen(function* () {
          const { organisationId, portfolioIds = null } = yield* CurrentCaller
          if (portfolioIds === null) return null
          const present = yield* presentPortfolios(records, "ApiKeys.portfolios", organisationId, portfolioIds)
          return portfolioIds.filter((id) => present.has(id))
        })

        return ApiKeys.of({
          create,
          get,
          list,
          delete: remove,
          rotate,
          inUse,
          accessInUse,
          portfoliosInUse,
          authenticate
        })
      })
    )
}
