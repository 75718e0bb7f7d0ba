/**
 * Problem documents (RFC 9457), the same for all contestants.
 */

const problems = {
  malformed_json: { status: 400, title: "Malformed JSON", detail: "The body is not JSON in UTF-8." },
  validation_failed: { status: 400, title: "Validation failed", detail: "The request has invalid values; see errors." },
  api_key_missing: { status: 401, title: "API key missing", detail: "Send an API key in the header x-api-key." },
  api_key_invalid: { status: 401, title: "API key invalid", detail: "This API key is not accepted." },
  api_key_expired: { status: 401, title: "API key expired", detail: "The life of this API key has ended." },
  organisation_inactive: {
    status: 403,
    title: "Organisation inactive",
    detail: "Missing organisation id: the caller is not tied to an active organisation."
  },
  route_not_found: { status: 404, title: "Route not found", detail: "Nothing is served at this path." },
  site_not_found: { status: 404, title: "Site not found", detail: "Your organisation has no such site." },
  portfolio_not_found: {
    status: 404,
    title: "Portfolio not found",
    detail: "Your organisation has no such portfolio."
  },
  document_not_found: { status: 404, title: "Document not found", detail: "Your organisation has no such document." },
  om_record_not_found: { status: 404, title: "O&M record not found", detail: "This site has no such O&M record." },
  invalid_transition: {
    status: 409,
    title: "Invalid transition",
    detail: "A document that is uploaded can become approved, and then completed."
  },
  external_id_taken: {
    status: 409,
    title: "External id taken",
    detail: "Another resource of your organisation has this external id; see errors and conflicts."
  },
  too_many_pending: {
    status: 429,
    title: "Too many pending documents",
    detail: "An organisation has at most 10000 pending documents; send files, or wait until addresses have lapsed."
  },
  body_too_large: { status: 413, title: "Body too large", detail: "A body has at most 1048576 bytes." },
  internal: { status: 500, title: "Internal error", detail: "Something went wrong on our side." }
} as const

export type ProblemCode = keyof typeof problems

/** One fault of a request and its place. */
export interface Fault {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** A refusal; the framework's error handler turns it into a problem document. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly faults: ReadonlyArray<Fault> | undefined
  readonly members: object | undefined

  /** `members` are further ones of the document. */
  constructor(code: ProblemCode, faults?: ReadonlyArray<Fault>, members?: object) {
    super(code)
    this.code = code
    this.status = problems[code].status
    this.faults = faults
    this.members = members
  }

  body(requestId: string) {
    const { detail, status, title } = problems[this.code]
    return {
      type: `urn:solar-sites:problem:${this.code}`,
      status,
      title,
      detail,
      code: this.code,
      requestId,
      ...(this.faults === undefined ? {} : { errors: this.faults }),
      ...this.members
    }
  }
}

export const problemMediaType = "application/problem+json"

export const challenge = { "www-authenticate": 'ApiKey realm="api", header="x-api-key"' }

/** An error of a framework as a problem document. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const status: unknown = Reflect.get(Object(error), "status") ?? Reflect.get(Object(error), "statusCode")
  if (status === 413) return new Problem("body_too_large")
  if (status === 404) return new Problem("route_not_found")
  if (status === 400) return new Problem("malformed_json")
  console.error(error)
  return new Problem("internal")
}
