/** What the OpenAPI document says about the refusals of an operation, and about headers of all answers. */
import { describeProblem, type ProblemCode, problemMediaType, problems } from "./Problems.ts"

const exampleRequestId = "0197a3b0-7c1e-7000-8000-5f0e6f0c2d11"

const exampleFault = { pointer: "/siteName", code: "required", detail: "is required" }

const entityTagFault = { pointer: "/if-match", code: "invalid_entity_tag", detail: "must be entity tags or *" }

const idempotencyKeyFault = {
  pointer: "/idempotency-key",
  code: "invalid_idempotency_key",
  detail: "must be 1 to 255 visible ASCII characters"
}

export const isRepeatable = (codes: ReadonlyArray<ProblemCode>): boolean => codes.includes("idempotency_key_in_use")

const exampleProblem = (code: ProblemCode, headerFault: typeof entityTagFault) => ({
  ...describeProblem(code),
  requestId: exampleRequestId,
  ...(code === "validation_failed" ? { errors: [exampleFault] } : {}),
  ...(code === "invalid_header" ? { errors: [headerFault] } : {})
})

export const sharedHeaders = {
  "x-request-id": { description: "The id of this request.", required: true, schema: { type: "string" } }
}

export const replayedHeader = {
  "idempotency-replayed": {
    description: "`true` when this is the answer that was kept under the Idempotency-Key.",
    required: false,
    schema: { type: "string" }
  }
}

const retryAfter = (required: boolean) => ({
  "retry-after": { description: "Seconds to wait before the next attempt.", required, schema: { type: "string" } }
})

const extraHeaders: Record<number, object> = {
  401: { "www-authenticate": { required: true, schema: { type: "string" } } },
  429: retryAfter(true),
  503: retryAfter(true)
}

// Once the key has been accepted. Both are structured fields of the draft `RateLimit header fields for HTTP`.
export const limitHeaders = {
  ratelimit: {
    description:
      'The requests that the key has left, and the seconds until it has all of them again: `"key";r=599;t=1`. The name is `"organisation"` while all keys of the organisation together have fewer left.',
    required: false,
    schema: { type: "string" }
  },
  "ratelimit-policy": {
    description:
      'The requests, and the seconds in which the key may send them: `"key";q=600;w=60`. The name is `"organisation"` for the limit of all its keys together.',
    required: false,
    schema: { type: "string" }
  }
}

const isAfterLimits = (status: number, codes: ReadonlyArray<ProblemCode>): boolean =>
  status === 400 || status > 403 || codes.includes("scope_missing")

export const problemResponses = (codes: ReadonlyArray<ProblemCode>) => {
  const responses: Record<string, object> = {}
  const repeatable = isRepeatable(codes)
  const headerFault = repeatable ? idempotencyKeyFault : entityTagFault
  for (const status of [...new Set(codes.map((code) => problems[code].status))].sort()) {
    const ofStatus = codes.filter((code) => problems[code].status === status)
    responses[status] = {
      description: ofStatus.map((code) => `\`${code}\`: ${problems[code].title}.`).join(" "),
      headers: {
        ...sharedHeaders,
        ...extraHeaders[status],
        ...(codes.includes("rate_limited") && isAfterLimits(status, ofStatus) ? limitHeaders : {}),
        ...(repeatable && status === 409 ? retryAfter(false) : {})
      },
      content: {
        [problemMediaType]: {
          schema: { $ref: "#/components/schemas/Problem" },
          examples: Object.fromEntries(ofStatus.map((code) => [code, { value: exampleProblem(code, headerFault) }]))
        }
      }
    }
  }
  return responses
}
