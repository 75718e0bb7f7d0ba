/**
 * An API key without its secret, and the inputs of key management.
 */
import { Duration, Schema } from "effect"
import { ApiScope, apiScopes } from "../caller/ApiScope.ts"
import { ApiKeyId, UserId } from "../caller/Caller.ts"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { PortfolioIds } from "../caller/PortfolioLimit.ts"
import { boundedArray } from "../input/BoundedArray.ts"
import { Name } from "../input/Text.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { type Organisation, OrganisationId } from "../organisations/Organisation.ts"
import type { ApiKeySecret } from "./ApiKeySecret.ts"

/**
 * `prefix` is the visible start of the secret, `createdBy` the user who created the key. The key is
 * refused from `expiresAt` on. `lastUsedAt` can be up to 30 s old. With `portfolioIds` its callers reach these
 * portfolios alone; null is no limit.
 */
export class ApiKey extends Schema.Class<ApiKey>("@solar-sites/core/ApiKey")({
  id: ApiKeyId,
  organisationId: OrganisationId,
  name: Name,
  prefix: Schema.String,
  createdBy: Schema.NullOr(UserId),
  createdAt: Schema.DateTimeUtcFromString,
  expiresAt: Schema.DateTimeUtcFromString,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  scopes: Schema.Array(ApiScope),
  portfolioIds: Schema.NullOr(Schema.Array(PortfolioId))
}) {}

/**
 * The members that callers set: events show their changes. An event about a rotation also shows the
 * id of the new key, as `replacedBy`.
 */
export const apiKeyMembers = ["name", "expiresAt", "scopes", "portfolioIds"] as const satisfies ReadonlyArray<
  keyof ApiKey
>

/** Maximum number of live keys per organisation. A key is live before its `expiresAt`. */
export const maximumLiveApiKeys = 100

/** A new key with its secret, which is available only here. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey
  readonly secret: ApiKeySecret
}

/** A key with its organisation, or null when the organisation does not exist. */
export interface ApiKeyAccess {
  readonly apiKey: ApiKey
  readonly organisation: Organisation | null
}

/** Default lifetime of a new key. */
export const defaultApiKeyLife = Duration.days(365)

// Longer lifetimes could exceed the range of instants.
const maximumLife = Duration.days(36_500)

const Life = Schema.Duration.check(
  Schema.makeFilter(Duration.between({ minimum: Duration.millis(1), maximum: maximumLife }), {
    message: "must be longer than zero and at most 36500 days",
    faultCode: "out_of_range"
  })
)

const Overlap = Schema.Duration.check(
  Schema.makeFilter(Duration.between({ minimum: Duration.zero, maximum: maximumLife }), {
    message: "must be zero or longer, and at most 36500 days",
    faultCode: "out_of_range"
  })
)

/**
 * Without `scopes` the key has all, also those of later versions. Without `portfolioIds` it has the limit of its
 * creator, as null is none.
 */
export const CreateApiKey = Schema.Struct({
  name: Name,
  expiresIn: Schema.optionalKey(Life),
  scopes: Schema.optionalKey(boundedArray(ApiScope, { max: apiScopes.length, noun: "scope" })),
  portfolioIds: Schema.optionalKey(Schema.NullOr(PortfolioIds))
})
export type CreateApiKey = typeof CreateApiKey.Type

/** `overlap` is the remaining lifetime of the old key; default 24 hours. */
export const RotateApiKey = Schema.Struct({ overlap: Schema.optionalKey(Overlap) })
export type RotateApiKey = typeof RotateApiKey.Type

export const ListApiKeys = Schema.Struct(paging("api-keys", maximumPageSize))
export type ListApiKeys = typeof ListApiKeys.Type
