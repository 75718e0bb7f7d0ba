/**
 * All codes of refusals with status, title and detail of their problem document (RFC 9457;
 * specification, section 7).
 */
import { ExternalIdTaken, Fault, maximumPendingDocuments, maximumWebhooks } from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { maximumBodyBytes } from "./BodyLimits.ts"

/** Status and default detail by code, and the title where it is not the words of the code. */
const table = {
  malformed_json: [400, "The body is not JSON in UTF-8.", "Malformed JSON"],
  validation_failed: [400, "The request has invalid values; see errors."],
  webhook_address_not_allowed: [400, "The address is not https, or is not public; see errors."],
  malformed_request: [400, "This is no request of HTTP/1.1."],
  invalid_header: [400, "A header cannot be read; see errors."],
  invalid_filename: [400, "A document cannot have this filename; see errors."],
  api_key_missing: [401, "Send an API key in the header x-api-key.", "API key missing"],
  api_key_invalid: [401, "This API key is not accepted.", "API key invalid"],
  api_key_expired: [401, "The life of this API key has ended.", "API key expired"],
  organisation_missing: [403, "Missing organisation id: the caller is not tied to an organisation."],
  organisation_inactive: [403, "Missing organisation id: the caller is not tied to an active organisation."],
  scope_missing: [403, "The caller lacks a scope that this operation needs."],
  caller_limited: [403, "The caller is limited to portfolios, and this operation is about more than them."],
  portfolio_required: [403, "The caller is limited to portfolios: each of its sites has to be in one of them."],
  route_not_found: [404, "Nothing is served at this path."],
  site_not_found: [404, "Your organisation has no such site."],
  portfolio_not_found: [404, "Your organisation has no such portfolio."],
  document_not_found: [404, "Your organisation has no such document."],
  om_record_not_found: [404, "This site has no such O&M record.", "O&M record not found"],
  webhook_not_found: [404, "Your organisation has no such webhook."],
  delivery_not_found: [404, "This webhook has no such delivery."],
  site_not_in_portfolio: [404, "A site is not in this portfolio."],
  method_not_allowed: [405, "See the header Allow."],
  not_acceptable: [406, "Accept application/json or text/csv."],
  request_timeout: [408, "The request did not arrive completely in time."],
  invalid_transition: [409, "A document that is uploaded can become approved or failed, not pending."],
  upload_not_found: [409, "No file has arrived for this document."],
  upload_mismatch: [409, "The file differs from its declared size or type."],
  already_replaced: [409, "Another document has replaced the one that this document was to replace."],
  external_id_taken: [409, "Another resource of your organisation has this external id; see errors and conflicts."],
  idempotency_key_reused: [409, "This Idempotency-Key stands for another request; choose a new one."],
  idempotency_key_in_use: [409, "A request with this Idempotency-Key is under way; try again in a moment."],
  too_many_webhooks: [409, `An organisation has at most ${maximumWebhooks} webhooks; delete one first.`],
  precondition_failed: [412, "The resource has changed since."],
  body_too_large: [413, `A body has at most ${maximumBodyBytes} bytes.`],
  unsupported_media_type: [415, "Send application/json in UTF-8, without a content coding."],
  expectation_failed: [417, "Only 100-continue can be expected."],
  rate_limited: [429, "This key asks too often; see Retry-After.", "Too many requests"],
  too_many_pending: [
    429,
    `An organisation has at most ${maximumPendingDocuments} pending documents; send files, or wait until addresses have lapsed.`,
    "Too many pending documents"
  ],
  headers_too_large: [431, "Send less in address and headers."],
  internal: [500, "Something went wrong on our side.", "Internal error"],
  database_unavailable: [503, "Try again in a moment."],
  storage_unavailable: [503, "Try again in a moment."],
  storage_full: [503, "The storage has no room for files at the moment."],
  overloaded: [503, "This instance has more requests than it can answer in time; try again in a moment."],
  shutting_down: [503, "This instance is shutting down."]
} as const satisfies Record<string, readonly [status: number, detail: string, title?: string]>

export type ProblemCode = keyof typeof table

interface ProblemOfCode {
  readonly status: number
  readonly title: string
  readonly detail: string
}

const titleOf = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll("_", " ")

/** Status, title and default detail by code. */
export const problems = Object.fromEntries(
  Object.entries(table).map(([code, [status, detail, title = titleOf(code)]]) => [code, { status, title, detail }])
) as Readonly<Record<ProblemCode, ProblemOfCode>>

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)

/**
 * `code` identifies the kind of problem and `requestId` equals the header X-Request-Id. `errors`
 * lists the faults of a request; `conflicts` the resources that have the external ids, in the order
 * of `errors`; `checks` the state of each dependency in a response of readiness.
 */
export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  code: Schema.String,
  requestId: Schema.String,
  errors: Schema.optionalKey(Schema.Array(Fault)),
  conflicts: Schema.optionalKey(ExternalIdTaken.fields.conflicts),
  checks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["up", "down"])))
}).annotate({ identifier: "Problem", description: "Why a request was refused (RFC 9457)." })
export type Problem = typeof Problem.Type

/** The `type` of a problem with this code. */
export const problemType = (code: string): string => `urn:solar-sites:problem:${code}`

/** The members of a problem that follow from its code. */
export const describeProblem = (code: ProblemCode) => ({
  type: problemType(code),
  ...problems[code],
  code
})

/** The media type of every refusal. */
export const problemMediaType = "application/problem+json"

/**
 * Responses of every endpoint other than success: a problem with each status. The annotation
 * `operation` lists the codes of an operation.
 */
export const refusals = [...new Set(Object.values(problems).map(({ status }) => status))].map((status) =>
  Problem.pipe(HttpApiSchema.status(status), HttpApiSchema.asJson({ contentType: problemMediaType }))
)
