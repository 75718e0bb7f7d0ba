/**
 * Refusals of API keys, in authentication and key management.
 */
import { Schema } from "effect"
import { ApiKeyId } from "../caller/Caller.ts"
import { redactedIds } from "../input/Redaction.ts"

/** The key is wrong, malformed or deleted; the refusal does not say which. */
export class ApiKeyInvalid extends Schema.TaggedError<ApiKeyInvalid>("@solar-sites/core/ApiKeyInvalid")(
  "ApiKeyInvalid",
  {}
) {
  readonly code = "api_key_invalid"

  override get message(): string {
    return "The API key is wrong, malformed or deleted"
  }
}

/** The lifetime of the key, or the overlap after its rotation, has ended. */
export class ApiKeyExpired extends Schema.TaggedError<ApiKeyExpired>("@solar-sites/core/ApiKeyExpired")(
  "ApiKeyExpired",
  {}
) {
  readonly code = "api_key_expired"

  override get message(): string {
    return "The API key has expired"
  }
}

/** No such key in the organisation of the caller. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>("@solar-sites/core/ApiKeyNotFound")(
  "ApiKeyNotFound",
  { apiKeyId: ApiKeyId }
) {
  readonly code = "api_key_not_found"

  override get message(): string {
    return `No such API key in this organisation: ${redactedIds(this.apiKeyId)}`
  }
}

/** The caller authenticated with a key, or has scopes; only people with all scopes manage keys. */
export class KeysNotManageable extends Schema.TaggedError<KeysNotManageable>("@solar-sites/core/KeysNotManageable")(
  "KeysNotManageable",
  {}
) {
  readonly code = "keys_not_manageable"

  override get message(): string {
    return "A caller with an API key or with scopes cannot manage API keys"
  }
}

/** The organisation has the maximum of live keys. */
export class TooManyApiKeys extends Schema.TaggedError<TooManyApiKeys>("@solar-sites/core/TooManyApiKeys")(
  "TooManyApiKeys",
  { maximum: Schema.Int }
) {
  readonly code = "too_many_keys"

  override get message(): string {
    return `The organisation has ${this.maximum} live API keys, which is the maximum; delete one first`
  }
}
