/**
 * Bodies of the endpoints under `/console` that the API does not have: sessions,
 * API keys and the console's configuration.
 */
import type { ApiScope } from "@solar-sites/core/model"
import type { Role } from "./people.ts"

export interface Session {
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly role: Role }
  readonly organisation: { readonly id: string; readonly name: string; readonly status: string }
  readonly expiresAt: string
  readonly scopes: ReadonlyArray<ApiScope>
  /** True while the organisation demands a second factor that the user has not set up. */
  readonly mustSetUpSecondFactor: boolean
}

/**
 * Why a session has ended. `ended`: on another device, by an administrator, or by a change of the
 * second factor.
 */
export type SessionEnd =
  | { readonly reason: null; readonly endedAt: null }
  | { readonly reason: "expired" | "idle" | "password" | "removed" | "ended"; readonly endedAt: string }

export interface Credentials {
  readonly email: string
  readonly password: string
  /** Code of an authenticator app, or a recovery code. */
  readonly code?: string | undefined
}

export interface Configuration {
  readonly login: { readonly password: boolean; readonly oidc: { readonly name: string | null } | null }
  readonly map: { readonly tileUrl: string | null; readonly attribution: string | null }
  readonly uploads: { readonly maximumFileBytes: number; readonly maximumCoverBytes: number }
  /** Null without a limit. */
  readonly api: { readonly requestsPerMinute: number | null }
  readonly accounts: {
    readonly sessionHours: { readonly life: number; readonly idle: number }
    readonly minimumPasswordCharacters: number
    readonly maximumApiKeyDays: number
  }
  /** Null without mail. */
  readonly digest: { readonly hour: number; readonly timeZone: string } | null
}

export interface ApiKey {
  readonly id: string
  /** All scopes, or some. */
  readonly scopes: ReadonlyArray<ApiScope>
  readonly name: string
  readonly prefix: string
  /** Id of a user; null for keys of the operator. */
  readonly createdBy: string | null
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
  /** Absent for all. */
  readonly scopes?: ReadonlyArray<string>
}

/** How long the old key works beside the new one, such as `24h`. */
export interface RotateApiKey {
  readonly overlap: string
}
