/**
 * Bodies of the endpoints under `/console` that the API does not have: sessions,
 * API keys and the console's configuration.
 */
import type { Answer } from "./ask.ts"

export type Session = Answer<"POST /console/invitations/accept">

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
