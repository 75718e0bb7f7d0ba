/**
 * The ways a request to `/storage` can be refused, in one table, and how the
 * problem document (RFC 9457) says it.
 */
import type { StorageError } from "@solar-sites/core"
import { Data, Effect } from "effect"
import { HttpServerResponse } from "effect/http"

const problems = {
  invalid_range: { status: 400, title: "Invalid range", detail: "A part of a file cannot be uploaded." },
  length_mismatch: { status: 400, title: "Length mismatch", detail: "The length is not the one that was declared." },
  upload_incomplete: { status: 400, title: "Upload incomplete", detail: "The body ended early." },
  address_invalid: {
    status: 403,
    title: "Address invalid",
    detail: "The address was not issued for this method and file, or was changed."
  },
  address_not_valid_yet: { status: 403, title: "Address not valid yet", detail: "The address holds later on." },
  address_expired: { status: 403, title: "Address expired", detail: "Ask for a new address." },
  route_not_found: { status: 404, title: "Route not found", detail: "Nothing is served at this path." },
  file_not_found: { status: 404, title: "File not found", detail: "There is no file at this address." },
  method_not_allowed: { status: 405, title: "Method not allowed", detail: "See the header Allow." },
  upload_stalled: {
    status: 408,
    title: "Upload stalled",
    detail: "Nothing more has arrived for too long, or too little."
  },
  already_uploaded: { status: 412, title: "Already uploaded", detail: "An address takes one file, and has it." },
  file_too_large: { status: 413, title: "File too large", detail: "The file is larger than this address allows." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    detail: "Send the headers that came with the address as they are, without a content coding."
  },
  range_not_satisfiable: { status: 416, title: "Range not satisfiable", detail: "The file is shorter." },
  internal: { status: 500, title: "Internal error", detail: "Something went wrong on our side." },
  storage_unavailable: { status: 503, title: "Storage unavailable", detail: "Try again in a moment." },
  storage_full: { status: 503, title: "Storage full", detail: "There is no room for this file at the moment." }
} as const satisfies Record<string, { readonly status: number; readonly title: string; readonly detail: string }>

export class Refused extends Data.TaggedError("Refused")<{
  readonly code: keyof typeof problems
  readonly headers?: Readonly<Record<string, string>>
}> {}

export const refuse = (
  code: Refused["code"],
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<never, Refused> => Effect.suspend(() => Effect.fail(new Refused({ code, headers })))

/** A failed disk as it is told to a client: without any detail of ours. */
export const asRefused = (failure: Refused | StorageError): Refused =>
  failure._tag === "Refused"
    ? failure
    : new Refused({ code: failure.code, headers: { "retry-after": failure.reason === "full" ? "60" : "1" } })

export const problemResponse = (
  { code, headers }: Refused,
  requestId: string
): HttpServerResponse.HttpServerResponse => {
  const problem = { type: `urn:solar-sites:problem:${code}`, ...problems[code], code, requestId }
  return HttpServerResponse.text(JSON.stringify(problem), {
    status: problems[code].status,
    contentType: "application/problem+json",
    ...(headers === undefined ? {} : { headers })
  })
}
