/**
 * Lets pages of other origins call the API: those that the host has named, and
 * nobody otherwise (specification, section 3).
 */
import type { HttpServerRequest } from "effect/http"
import { apiKeyHeader } from "../contract/Authentication.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The header that tells the origin, of a request of any kind. */
interface FromOrigin {
  readonly headers: { readonly [name: string]: unknown; readonly origin?: string | undefined }
}

type Headers = Readonly<Record<string, string>>

const allowedHeaders = [apiKeyHeader, "content-type", "if-match", "idempotency-key", "x-request-id"].join(", ")

const exposedHeaders = [
  "ETag",
  "Location",
  "Retry-After",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Idempotency-Replayed"
].join(", ")

const preflightSeconds = "600"

const nothing: Headers = {}

// Those of http come in the one form that browsers send; of other schemes (apps have their own) there is no other rule.
const isOrigin = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+$/.test(text) && (!/^https?:/.test(text) || URL.parse(text)?.origin === text)

const originOf = (text: string): string => {
  if (isOrigin(text)) return text
  throw new TypeError(`corsOrigins: ${JSON.stringify(text)} is no origin such as https://app.example.com`)
}

/** The headers that let a page read an answer, and those that let it send a request. */
export interface Cors {
  readonly headersFor: (request: FromOrigin) => Headers
  /** `methods` are those of the path, as in `Allow`. */
  readonly preflight: (request: Request, methods: string) => Headers
}

/** Throws when an origin is none. */
export const corsOf = (origins: ReadonlyArray<string> = []): Cors => {
  const allowed = new Set(origins.map(originOf))
  if (allowed.size === 0) return { headersFor: () => nothing, preflight: () => nothing }
  const isAllowed = (origin: string | undefined): origin is string => origin !== undefined && allowed.has(origin)
  const vary = { vary: "Origin" }
  return {
    headersFor: ({ headers: { origin } }) =>
      isAllowed(origin)
        ? { ...vary, "access-control-allow-origin": origin, "access-control-expose-headers": exposedHeaders }
        : vary,
    preflight: ({ headers: { origin, "access-control-request-method": method } }, methods) =>
      isAllowed(origin) && method !== undefined
        ? {
            "access-control-allow-methods": methods,
            "access-control-allow-headers": allowedHeaders,
            "access-control-max-age": preflightSeconds
          }
        : nothing
  }
}
