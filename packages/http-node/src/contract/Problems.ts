/**
 * All codes of refusals with status, title and detail of their problem document (RFC 9457;
 * specification, section 7).
 */
import { ExternalIdTaken, Fault, maximumPendingDocuments, maximumWebhooks } from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { maximumBodyBytes } from "./BodyLimits.ts"

/** Status, title and default detail by code. */
export const problems = {
  malformed_json: { status: 400, title: "Malformed JSON", detail: "The body is not JSON in UTF-8." },
  validation_failed: { status: 400, title: "Validation failed", detail: "The request has invalid values; see errors." },
  webhook_address_not_allowed: {
    status: 400,
    title: "Webhook address not allowed",
    detail: "The address is not https, or is not public; see errors."
  },
  malformed_request: { status: 400, title: "Malformed request", detail: "This is no request of HTTP/1.1." },
  invalid_header: { status: 400, title: "Invalid header", detail: "A header cannot be read; see errors." },
  invalid_filename: {
    status: 400,
    title: "Invalid filename",
    detail: "A document cannot have this filename; see errors."
  },
  api_key_missing: { status: 401, title: "API key missing", detail: "Send an API key in the header x-api-key." },
  api_key_invalid: { status: 401, title: "API key invalid", detail: "This API key is not accepted." },
  api_key_expired: { status: 401, title: "API key expired", detail: "The life of this API key has ended." },
  organisation_missing: {
    status: 403,
    title: "Organisation missing",
    detail: "Missing organisation id: the caller is not tied to an organisation."
  },
  organisation_inactive: {
    status: 403,
    title: "Organisation inactive",
    detail: "Missing organisation id: the caller is not tied to an active organisation."
  },
  scope_missing: {
    status: 403,
    title: "Scope missing",
    detail: "The caller lacks a scope that this operation needs."
  },
  caller_limited: {
    status: 403,
    title: "Caller limited",
    detail: "The caller is limited to portfolios, and this operation is about more than them."
  },
  portfolio_required: {
    status: 403,
    title: "Portfolio required",
    detail: "The caller is limited to portfolios: each of its sites has to be in one of them."
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
  webhook_not_found: { status: 404, title: "Webhook not found", detail: "Your organisation has no such webhook." },
  delivery_not_found: { status: 404, title: "Delivery not found", detail: "This webhook has no such delivery." },
  site_not_in_portfolio: { status: 404, title: "Site not in portfolio", detail: "A site is not in this portfolio." },
  method_not_allowed: { status: 405, title: "Method not allowed", detail: "See the header Allow." },
  not_acceptable: {
    status: 406,
    title: "Not acceptable",
    detail: "Accept application/json or text/csv."
  },
  request_timeout: { status: 408, title: "Request timeout", detail: "The request did not arrive completely in time." },
  invalid_transition: {
    status: 409,
    title: "Invalid transition",
    detail: "A document that is uploaded can become approved or failed, not pending."
  },
  upload_not_found: { status: 409, title: "Upload not found", detail: "No file has arrived for this document." },
  upload_mismatch: {
    status: 409,
    title: "Upload mismatch",
    detail: "The file differs from its declared size or type."
  },
  already_replaced: {
    status: 409,
    title: "Already replaced",
    detail: "Another document has replaced the one that this document was to replace."
  },
  external_id_taken: {
    status: 409,
    title: "External id taken",
    detail: "Another resource of your organisation has this external id; see errors and conflicts."
  },
  idempotency_key_reused: {
    status: 409,
    title: "Idempotency key reused",
    detail: "This Idempotency-Key stands for another request; choose a new one."
  },
  idempotency_key_in_use: {
    status: 409,
    title: "Idempotency key in use",
    detail: "A request with this Idempotency-Key is under way; try again in a moment."
  },
  too_many_webhooks: {
    status: 409,
    title: "Too many webhooks",
    detail: `An organisation has at most ${maximumWebhooks} webhooks; delete one first.`
  },
  precondition_failed: { status: 412, title: "Precondition failed", detail: "The resource has changed since." },
  body_too_large: { status: 413, title: "Body too large", detail: `A body has at most ${maximumBodyBytes} bytes.` },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    detail: "Send application/json in UTF-8, without a content coding."
  },
  expectation_failed: {
    status: 417,
    title: "Expectation failed",
    detail: "Only 100-continue can be expected."
  },
  rate_limited: { status: 429, title: "Too many requests", detail: "This key asks too often; see Retry-After." },
  too_many_pending: {
    status: 429,
    title: "Too many pending documents",
    detail: `An organisation has at most ${maximumPendingDocuments} pending documents; send files, or wait until addresses have lapsed.`
  },
  headers_too_large: { status: 431, title: "Headers too large", detail: "Send less in address and headers." },
  internal: { status: 500, title: "Internal error", detail: "Something went wrong on our side." },
  database_unavailable: { status: 503, title: "Database unavailable", detail: "Try again in a moment." },
  storage_unavailable: { status: 503, title: "Storage unavailable", detail: "Try again in a moment." },
  storage_full: { status: 503, title: "Storage full", detail: "The storage has no room for files at the moment." },
  overloaded: {
    status: 503,
    title: "Overloaded",
    detail: "This instance has more requests than it can answer in time; try again in a moment."
  },
  shutting_down: { status: 503, title: "Shutting down", detail: "This instance is shutting down." }
} as const satisfies Record<string, { readonly status: number; readonly title: string; readonly detail: string }>

export type ProblemCode = keyof typeof problems

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
