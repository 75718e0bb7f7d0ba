/**
 * Commands about API keys: `load → rule → commit`.
 */
import { type DateTime, Effect, Option } from "effect"
import type { ApiKeyId } from "../caller/Caller.ts"
import type { PortfolioLimit } from "../caller/PortfolioLimit.ts"
import { eventOrigins } from "../events/EventOrigin.ts"
import type { Page, PageRequest } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { listRecords } from "../records/ListedRecords.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import { ApiKey } from "./ApiKey.ts"
import type { ApiKeyNotFound, TooManyApiKeys } from "./ApiKeyErrors.ts"
import { apiKeyKind } from "./ApiKeyKind.ts"
import {
  apiKeyOf,
  assumedForCreation,
  createApiKey,
  deleteApiKey,
  findsOfCreation,
  findsOfKey,
  newApiKey,
  rotateApiKey
} from "./ApiKeyRules.ts"
import type { ApiKeyDigest } from "./ApiKeySecret.ts"

/** Commands about one key. Each is one atomic step within the given organisation, with its event. */
export interface ApiKeyCommands {
  /**
   * Stores the key. Refused when the organisation has `maximumLiveApiKeys` keys that are live at
   * `createdAt`, also with concurrent inserts. Portfolios of the key are refused that are not in the organisation, or
   * outside of `limit`.
   */
  readonly insert: (
    organisationId: OrganisationId,
    apiKey: ApiKey,
    digest: ApiKeyDigest,
    limit?: PortfolioLimit
  ) => Effect.Effect<void, OrganisationNotFound | PortfoliosNotFound | TooManyApiKeys | RepositoryError>

  readonly findById: (
    organisationId: OrganisationId,
    apiKeyId: ApiKeyId
  ) => Effect.Effect<Option.Option<ApiKey>, RepositoryError>

  /** A page in ascending order of id (oldest first). */
  readonly list: (
    organisationId: OrganisationId,
    page: PageRequest<ApiKeyId>
  ) => Effect.Effect<Page<ApiKey>, RepositoryError>

  /** Deletes the key and returns it. When the effect ends, no look-up finds it. */
  readonly delete: (
    organisationId: OrganisationId,
    apiKeyId: ApiKeyId
  ) => Effect.Effect<ApiKey, ApiKeyNotFound | RepositoryError>

  /**
   * Stores the replacement, moves the end of the old key to `expiresAt` when that is earlier, and
   * returns the replacement: both changes or none. The lifetime of the replacement is the one the
   * old key was created with, even after earlier rotations. The maximum of `insert` applies: the
   * old key counts unless it has ended at `createdAt` of the replacement.
   */
  readonly rotate: (
    organisationId: OrganisationId,
    apiKeyId: ApiKeyId,
    rotation: {
      readonly replacement: Omit<ApiKey, "expiresAt">
      readonly digest: ApiKeyDigest
      readonly expiresAt: DateTime.Utc
    }
  ) => Effect.Effect<ApiKey, ApiKeyNotFound | TooManyApiKeys | RepositoryError>
}

export const apiKeyRecords: Effect.Effect<ApiKeyCommands, never, Records> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)

  return {
    insert: (organisationId, apiKey, digest, limit = null) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const record = newApiKey(makeUnchecked(ApiKey, { ...apiKey, organisationId }), digest)
        const rule = createApiKey(record, limit, origin)
        const command = { operation: "ApiKeyStore.insert", organisationId, finds: findsOfCreation(record), rule }
        // The commit does not show whether portfolios are there.
        return deciding.create(command, record.portfolioIds === null ? assumedForCreation(record) : null)
      }),

    findById: (organisationId, apiKeyId) =>
      Effect.map(records.load("ApiKeyStore.findById", organisationId, findsOfKey(apiKeyId)), (found) =>
        Option.map(Option.fromNullOr(found.byId(apiKeyKind, apiKeyId)), ({ record }) => apiKeyOf(record))
      ),

    list: (organisationId, page) =>
      listRecords(records, "ApiKeyStore.list", organisationId, apiKeyKind, apiKeyOf, { page }),

    delete: (organisationId, apiKeyId) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(apiKeyKind, apiKeyId, {
          operation: "ApiKeyStore.delete",
          organisationId,
          finds: findsOfKey(apiKeyId),
          rule: deleteApiKey(apiKeyId, origin)
        })
      ),

    rotate: (organisationId, apiKeyId, rotation) =>
      Effect.flatMap(originOf(organisationId), (origin) =>
        deciding.update(apiKeyKind, apiKeyId, {
          operation: "ApiKeyStore.rotate",
          organisationId,
          finds: findsOfKey(apiKeyId),
          rule: rotateApiKey({ organisationId, apiKeyId, ...rotation }, origin)
        })
      )
  }
})
