/**
 * Answers of the console's own endpoints, by name.
 */
import type { Answer } from "./ask.ts"

export type Session = Answer<"GET /console/session">

export type SessionEnd = Answer<"GET /console/session/end">

export type Configuration = Answer<"GET /console/configuration">

export type ApiKey = Answer<"GET /console/api-keys">["data"][number]

/** With the whole key, which only this answer contains. */
export type NewApiKey = Answer<"POST /console/api-keys">

export type OrganisationOverview = Answer<"GET /console/organisation/overview">
