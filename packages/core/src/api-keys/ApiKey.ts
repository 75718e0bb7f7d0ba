/**
 * What is known of an API key once its secret has been shown.
 *
 * @since 0.1.0
 */
import { Duration, Schema } from "effect"
import { ApiKeyId, UserId } from "../caller/Caller.ts"
import { Name } from "../input/Text.ts"
import { type Organisation, OrganisationId } from "../organisations/Organisation.ts"
import { maximumPageSize, paging } from "../persistence/Page.ts"
import type { ApiKeySecret } from "./ApiKeySecret.ts"

/**
 * `prefix` is the part of the secret that is shown; `createdBy` the user behind
 * it; from `expiresAt` on it opens nothing; `lastUsedAt` is at most 30 s behind.
 *
 * @category models
 * @since 0.1.0
 */
export class ApiKey extends Schema.Class<ApiKey>("@solar-sites/core/ApiKey")({
  id: ApiKeyId,
  organisationId: OrganisationId,
  name: Name,
  prefix: Schema.String,
  createdBy: Schema.NullOr(UserId),
  createdAt: Schema.DateTimeUtcFromString,
  expiresAt: Schema.DateTimeUtcFromString,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromString)
}) {}

/**
 * How many keys of an organisation can be live at once, which is before their
 * `expiresAt`.
 *
 * @category models
 * @since 0.1.0
 */
export const maximumLiveApiKeys = 100

/**
 * A key whose secret can be shown, this one time.
 *
 * @category models
 * @since 0.1.0
 */
export interface IssuedApiKey {
  readonly apiKey: ApiKey
  readonly secret: ApiKeySecret
}

/**
 * A key as it is found by its digest, with the organisation it opens, if there
 * is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface ApiKeyAccess {
  readonly apiKey: ApiKey
  readonly organisation: Organisation | null
}

/**
 * How long a new key lives unless told otherwise.
 *
 * @category models
 * @since 0.1.0
 */
export const defaultApiKeyLife = Duration.days(365)

// Beyond, an instant would soon be none that can be written down.
const maximumLife = Duration.days(36_500)

const Life = Schema.Duration.check(
  Schema.makeFilter(Duration.between({ minimum: Duration.millis(1), maximum: maximumLife }), {
    message: "must be longer than nothing and at most 36500 days",
    faultCode: "out_of_range"
  })
)

const Overlap = Schema.Duration.check(
  Schema.makeFilter(Duration.between({ minimum: Duration.zero, maximum: maximumLife }), {
    message: "must be nothing or longer, and at most 36500 days",
    faultCode: "out_of_range"
  })
)

/**
 * @category models
 * @since 0.1.0
 */
export const CreateApiKey = Schema.Struct({ name: Name, expiresIn: Schema.optionalKey(Life) })
export type CreateApiKey = typeof CreateApiKey.Type

/**
 * `overlap` is how long the old key lives on; 24 hours when it is not said.
 *
 * @category models
 * @since 0.1.0
 */
export const RotateApiKey = Schema.Struct({ overlap: Schema.optionalKey(Overlap) })
export type RotateApiKey = typeof RotateApiKey.Type

/**
 * @category models
 * @since 0.1.0
 */
export const ListApiKeys = Schema.Struct(paging(maximumPageSize))
export type ListApiKeys = typeof ListApiKeys.Type
