/**
 * Checks and conditions that handlers share.
 */
import {
  ChangedCoverImageUrl,
  CurrentCaller,
  type ExpectedVersions,
  type Fault,
  SiteId,
  ValidationFailed,
  withoutOwnCover
} from "@solar-sites/core"
import { Effect, Schema } from "effect"
import type { Check } from "../pipeline/Endpoint.ts"

const named = { inBody: "siteIds or siteId in the body", inQuery: "siteId in the query" }

const oneOf =
  (...places: ReadonlyArray<keyof typeof named>): Check =>
  ({ payload, query }) => {
    const { siteId, siteIds } = Object(payload)
    // In a body, null means absent.
    const ways = [siteIds, siteId, query["siteId"]].filter((given) => given !== undefined && given !== null)
    if (ways.length === 1) return Effect.void
    const detail = `must name the sites once: ${places.map((place) => named[place]).join(", or ")}`
    const fault: Fault = { pointer: "", code: "exactly_one", detail }
    return Effect.fail(new ValidationFailed({ faults: [fault] }))
  }

/** The body names the sites exactly once: as a list or as a single one. */
export const oneSelection = oneOf("inBody")

/** The body or the query names the sites exactly once. */
export const oneSelectionAnywhere = oneOf("inBody", "inQuery")

const isCoverUrl = Schema.is(ChangedCoverImageUrl)
const namesSite = Schema.is(Schema.Struct({ id: SiteId }))

/**
 * Refuses a signed address of an uploaded cover that belongs to another site. An invalid address is
 * a fault of the schema.
 */
export const ownCover: Check = ({ params, payload }) => {
  const { coverImageUrl } = Object(payload)
  if (!isCoverUrl(coverImageUrl)) return Effect.void
  return Effect.flatMap(CurrentCaller, ({ organisationId }) =>
    withoutOwnCover(organisationId, namesSite(params) ? params.id : null, { coverImageUrl })
  )
}

/** The versions of a well-formed `If-Match`. Weak tags never match (RFC 9110). */
export const expectedVersions = (headers: { readonly "if-match"?: string }): ExpectedVersions => {
  const header = headers["if-match"]?.trim()
  if (header === undefined || header === "*") return undefined
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)]
    .filter(([, weak, tag]) => weak === undefined && tag !== undefined && /^(0|[1-9]\d{0,14})$/.test(tag))
    .map(([, , tag]) => Number(tag))
}
