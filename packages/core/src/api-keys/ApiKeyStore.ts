/**
 * Where API keys are kept, by the digest of their secrets. Implement this port
 * to bring your own, then run `apiKeyStoreConformance` from
 * `@solar-sites/testing` against it.
 *
 * @since 0.1.0
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
 * That a key was used, and when.
 *
 * @category models
 * @since 0.1.0
 */
export interface ApiKeyUse {
  readonly apiKeyId: ApiKeyId
  readonly usedAt: DateTime.Utc
}

/**
 * Every method is one atomic step. But for `findByDigest` and `findOwner`, which
 * cannot know it, each looks only inside the given organisation.
 *
 * @category services
 * @since 0.1.0
 */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /**
     * Stores the key, unless `maximumLiveApiKeys` of the organisation are live at its `createdAt` already. Of several
     * inserts at once only as many succeed as there is room for.
     */
    readonly insert: (
      organisationId: OrganisationId,
      apiKey: ApiKey,
      digest: ApiKeyDigest
    ) => Effect.Effect<void, OrganisationNotFound | TooManyApiKeys | RepositoryError>

    /** The key with this digest, expired or not, and its organisation as it is now. Never finds a deleted key. */
    readonly findByDigest: (digest: ApiKeyDigest) => Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError>

    /** The organisation a key belongs to. For the operator alone, who knows nothing but the key's id. */
    readonly findOwner: (apiKeyId: ApiKeyId) => Effect.Effect<Option.Option<OrganisationId>, RepositoryError>

    readonly findById: (
      organisationId: OrganisationId,
      apiKeyId: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKey>, RepositoryError>

    /** The same key with its organisation as it is now, as `findByDigest` gives them: one look for both. */
    readonly findAccess: (
      organisationId: OrganisationId,
      apiKeyId: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError>

    /** A page in ascending order of id, which is oldest first. */
    readonly list: (
      organisationId: OrganisationId,
      page: PageRequest<ApiKeyId>
    ) => Effect.Effect<Page<ApiKey>, RepositoryError>

    /** Removes the key and answers what it was. When the effect has ended, `findByDigest` does not find it. */
    readonly delete: (
      organisationId: OrganisationId,
      apiKeyId: ApiKeyId
    ) => Effect.Effect<ApiKey, ApiKeyNotFound | RepositoryError>

    /**
     * Stores the replacement, brings the end of the old key forward to `expiresAt`, never back, and answers the
     * replacement: both or neither. The replacement lives as long as the old key was made to live, whatever rotations
     * have taken from that since. The maximum of `insert` holds: an old key counts unless it has ended at the
     * `createdAt` of the replacement.
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

    /** Notes the last uses. A later use is never overwritten by an earlier one; keys that are gone are passed over. */
    readonly recordUses: (
      organisationId: OrganisationId,
      uses: ReadonlyArray<ApiKeyUse>
    ) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/core/ApiKeyStore") {}
