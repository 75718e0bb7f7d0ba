/**
 * How a caller says who it is: the header `x-api-key` and nothing else
 * (specification, section 6).
 */
import type { CurrentCaller } from "@solar-sites/core/model"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { ProblemCode } from "./Problems.ts"

/** The header that carries the key. */
export const apiKeyHeader = "x-api-key"

/** Every refusal at the door. */
export const authenticationProblems = [
  "api_key_missing",
  "api_key_invalid",
  "api_key_expired",
  "organisation_missing",
  "organisation_inactive"
] as const satisfies ReadonlyArray<ProblemCode>

const apiKey = HttpApiSecurity.apiKey({ key: apiKeyHeader, in: "header" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "A key of your organisation, made in the company profile under API keys. It is shown once."
  )
)

/** Marks the endpoints that need a key. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentCaller }>()(
  "@solar-sites/http-node/Authentication",
  { security: { apiKey } }
) {}
