/**
 * Every way in which a request to `/storage` is refused.
 */
import { Effect } from "effect"

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
  range_not_satisfiable: { status: 416, title: "Range not satisfiable", detail: "The file is shorter." }
} as const satisfies Record<string, { readonly status: number; readonly title: string; readonly detail: string }>

/** A refused request; `@solar-sites/http-node` answers it with a problem document of its members. */
export interface StorageRefused {
  readonly _tag: "StorageRefused"
  readonly status: number
  readonly code: keyof typeof problems
  readonly title: string
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

export const refuse = (
  code: StorageRefused["code"],
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<never, StorageRefused> =>
  Effect.suspend(() => Effect.fail({ _tag: "StorageRefused", code, ...problems[code], headers }))
