/**
 * Port for the use of API keys, by the digests of their secrets. `Records` stores them. Test an implementation with
 * `apiKeyStoreConformance` of `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKeyId } from "../caller/Caller.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { ApiKeyAccess } from "./ApiKey.ts"
import type { ApiKeyDigest } from "./ApiKeySecret.ts"

/** Use of a key. */
export interface ApiKeyUse {
  readonly apiKeyId: ApiKeyId
  readonly usedAt: DateTime.Utc
}

/** Every method is one atomic step. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /**
     * The key with this digest or id, expired or not, and the current state of its organisation. Never
     * finds a deleted key. The id is for operators only, who know nothing else of the key.
     */
    readonly findAcrossOrganisations: (
      key: { readonly digest: ApiKeyDigest } | { readonly apiKeyId: ApiKeyId }
    ) => Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError>

    /** The same for a key of the organisation. */
    readonly findAccess: (
      organisationId: OrganisationId,
      apiKeyId: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKeyAccess>, RepositoryError>

    /**
     * Stores the last uses. An earlier use never overwrites a later one; deleted keys are ignored.
     */
    readonly recordUses: (
      organisationId: OrganisationId,
      uses: ReadonlyArray<ApiKeyUse>
    ) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/core/ApiKeyStore") {}
