/**
 * Answers of the console's own endpoints, by name.
 */
import type { Answer } from "./ask.ts"

type AnsweredSession = Answer<"GET /console/session">

/** `portfolioIds` are those that the user sees. It is null without a limit, and absent from an older server. */
export type Session = AnsweredSession & {
  readonly user: AnsweredSession["user"] & { readonly portfolioIds?: ReadonlyArray<string> | null }
}

export type SessionEnd = Answer<"GET /console/session/end">

export type Configuration = Answer<"GET /console/configuration">

export type ApiKey = Answer<"GET /console/api-keys">["data"][number]

/** With the whole key, which only this answer contains. */
export type NewApiKey = Answer<"POST /console/api-keys">

export type OrganisationOverview = Answer<"GET /console/organisation/overview">
