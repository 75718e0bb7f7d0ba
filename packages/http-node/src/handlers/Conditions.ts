/**
 * Checks and conditions that handlers share.
 */
import { type CursorKind, decodeCursor, type ExpectedVersions, type Fault, ValidationFailed } from "@solar-sites/core"
import { Effect } from "effect"
import type { Check } from "../middleware/Endpoint.ts"

/** A cursor was given out for this list. */
export const cursorOf =
  (kind: CursorKind): Check =>
  ({ query: { cursor } }) =>
    decodeCursor(kind, typeof cursor === "string" ? cursor : undefined)

/** The sites are named in one way: in the body as a list or a single one, or in the query. */
export const oneSelection: Check = ({ payload, query }) => {
  const inBody = typeof payload === "object" && payload !== null ? payload : {}
  const ways = ["siteIds" in inBody, "siteId" in inBody, "siteId" in query].filter((given) => given).length
  if (ways === 1) return Effect.void
  const fault: Fault = {
    pointer: "",
    code: "exactly_one",
    detail: "must name the sites once: siteIds or siteId in the body, or siteId in the query"
  }
  return Effect.fail(new ValidationFailed({ faults: [fault] }))
}

/** The versions of an `If-Match` that was found to be well-formed. Weak tags never match (RFC 9110). */
export const expectedVersions = (headers: { readonly "if-match"?: string }): ExpectedVersions => {
  const header = headers["if-match"]?.trim()
  if (header === undefined || header === "*") return undefined
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)]
    .filter(([, weak, tag]) => weak === undefined && tag !== undefined && /^[1-9]\d{0,14}$/.test(tag))
    .map(([, , tag]) => Number(tag))
}
