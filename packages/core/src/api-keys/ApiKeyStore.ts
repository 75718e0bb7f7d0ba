/**
 * Port for the storage of API keys, by the digests of their secrets. Test an implementation with
 * `apiKeyStoreConformance` of `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKeyId } from "../caller/Caller.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Page, PageRequest } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { ApiKey, ApiKeyAccess } from "./ApiKey.ts"
import type { ApiKeyNotFound, TooManyApiKeys } from "./ApiKeyErrors.ts"
import type { ApiKeyDigest } from "./ApiKeySecret.ts"

/**
 * Use of a key.
 *
 * @category models
 * @since 0.1.0
 */
export interface ApiKeyUse {
  readonly apiKeyId: ApiKeyId
  readonly usedAt: DateTime.Utc
}

/**
 * Every method is one atomic step within the given organisation, except `findByDigest` and
 * `findOwner`, which look in all organisations.
 *
 * @category services
 * @since 0.1.0
 */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /**
     * Stores the key. Refused when the organisation has `maximumLiveApiKeys` keys that are live at
     * `createdAt`, also with concurrent inserts.
     */
    readonly insert: (
      organisationId: OrganisationId,
      apiKey: ApiKey,
      digest: ApiKeyDigest
    ) => Effect.Effect<void, OrganisationNotFound | TooManyApiKeys | RepositoryError>

    /**
     * The key with this digest, expired or not, and the current state of its organisation. Never
     * finds a deleted key.
     */
    readonly findByDigest: (digest: ApiKeyDigest) => Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError>

    /** The organisation of a key. For operators only, who know just the id of the key. */
    readonly findOwner: (apiKeyId: ApiKeyId) => Effect.Effect<Option.Option<OrganisationId>, RepositoryError>

    readonly findById: (
      organisationId: OrganisationId,
      apiKeyId: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKey>, RepositoryError>

    /** The key and the current state of its organisation, as `findByDigest`, in one look-up. */
    readonly findAccess: (
      organisationId: OrganisationId,
      apiKeyId: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError>

    /** A page in ascending order of id (oldest first). */
    readonly list: (
      organisationId: OrganisationId,
      page: PageRequest<ApiKeyId>
    ) => Effect.Effect<Page<ApiKey>, RepositoryError>

    /** Deletes the key and returns it. When the effect ends, `findByDigest` does not find it. */
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

    /**
     * Stores the last uses. An earlier use never overwrites a later one; deleted keys are ignored.
     */
    readonly recordUses: (
      organisationId: OrganisationId,
      uses: ReadonlyArray<ApiKeyUse>
    ) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/core/ApiKeyStore") {}
