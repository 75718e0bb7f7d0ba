/**
 * The JSON form of API keys, organisations and callers. `PlainX` is the encoded form of the schema `X`.
 */
import type { ApiKey, CreateApiKey, ListApiKeys } from "../api-keys/ApiKey.ts"
import type { Caller } from "../caller/Caller.ts"
import type { CreateOrganisation, Organisation, UpdateOrganisation } from "../organisations/Organisation.ts"

export type PlainOrganisation = typeof Organisation.Encoded

export type PlainCreateOrganisation = typeof CreateOrganisation.Encoded

export type PlainUpdateOrganisation = typeof UpdateOrganisation.Encoded

export type PlainApiKey = typeof ApiKey.Encoded

/** `expiresIn` is text such as `90 days`. */
export type PlainCreateApiKey = Omit<typeof CreateApiKey.Encoded, "expiresIn"> & { readonly expiresIn?: string }

export type PlainListApiKeys = typeof ListApiKeys.Encoded

/** A key and its organisation. */
export interface PlainApiKeyAccess {
  readonly apiKey: PlainApiKey
  readonly organisation: PlainOrganisation | null
}

/** A new key with its whole secret. No other call returns the secret. */
export interface PlainIssuedApiKey {
  readonly apiKey: PlainApiKey
  readonly secret: string
}

/** The caller behind an API key, for `as`. */
export type PlainCaller = typeof Caller.Encoded
