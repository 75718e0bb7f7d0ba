/**
 * Bodies of the endpoints under `/console` that the API does not have: sessions,
 * API keys and the console's configuration.
 */

export interface Session {
  readonly user: { readonly id: string; readonly email: string; readonly name: string }
  readonly organisation: { readonly id: string; readonly name: string; readonly status: string }
  readonly expiresAt: string
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface Configuration {
  readonly map: { readonly tileUrl: string | null; readonly attribution: string | null }
  readonly uploads: { readonly maximumFileBytes: number; readonly maximumCoverBytes: number }
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly lastUsedAt: string | null
}

/** With the whole key, which only this answer contains. */
export interface NewApiKey extends ApiKey {
  readonly key: string
}

export interface CreateApiKey {
  readonly name: string
  readonly expiresInDays: number
}

/** How long the old key works beside the new one, such as `24h`. */
export interface RotateApiKey {
  readonly overlap: string
}
