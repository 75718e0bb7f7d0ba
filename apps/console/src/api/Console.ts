/**
 * Bodies of the endpoints under `/console` that the API does not have: sessions,
 * API keys and the console's configuration.
 */
import type { ApiScope } from "@solar-sites/core/model"
import type { Answer } from "./ask.ts"
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

export type Configuration = Answer<"GET /console/configuration">

export type ApiKey = Answer<"GET /console/api-keys">["data"][number]

/** With the whole key, which only this answer contains. */
export type NewApiKey = Answer<"POST /console/api-keys">

export type OrganisationOverview = Answer<"GET /console/organisation/overview">
