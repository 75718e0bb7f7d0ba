/**
 * CORS for the origins that the host has listed; without a list there is none (specification,
 * section 3).
 */
import { isOrigin } from "@solar-sites/core/options"
import { apiKeyHeader } from "../contract/Authentication.ts"

/** Common to requests of Effect and of Node. */
interface FromOrigin {
  readonly headers: { readonly [name: string]: unknown; readonly origin?: string | undefined }
}

type Headers = Readonly<Record<string, string>>

/** Request headers that a page may send, and response headers that it may read. */
const headerLists = {
  api: {
    allowed: [apiKeyHeader, "content-type", "if-match", "if-none-match", "idempotency-key", "x-request-id"].join(", "),
    exposed:
      "ETag, Location, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Idempotency-Replayed, Link, Content-Disposition"
  },
  files: {
    allowed: "Content-Type, Range, If-Range, If-None-Match",
    exposed: "Content-Disposition, Content-Length, Content-Range, ETag"
  }
} as const

const preflightSeconds = "600"

const nothing: Headers = {}

const checked = (text: string): string => {
  if (isOrigin(text)) return text
  throw new TypeError(`corsOrigins: ${JSON.stringify(text)} is no origin such as https://app.example.com`)
}

export interface Cors {
  /** Headers that let a page read a response. */
  readonly headersFor: (request: FromOrigin) => Headers
  /** Headers that let a page send a request; `undefined` unless it is a preflight of an allowed origin. */
  readonly preflight: (request: FromOrigin, allow: string) => Headers | undefined
}

/** Throws a TypeError for a text that is no origin. */
export const corsOf = (origins: ReadonlyArray<string> = [], kind: keyof typeof headerLists = "api"): Cors => {
  const allowed = new Set(origins.map(checked))
  if (allowed.size === 0) return { headersFor: () => nothing, preflight: () => undefined }
  const lists = headerLists[kind]
  const isAllowed = (origin: string | undefined): origin is string => origin !== undefined && allowed.has(origin)
  const vary = { vary: "Origin" }
  return {
    headersFor: ({ headers: { origin } }) =>
      isAllowed(origin)
        ? { ...vary, "access-control-allow-origin": origin, "access-control-expose-headers": lists.exposed }
        : vary,
    preflight: ({ headers }, allow) =>
      isAllowed(headers.origin) && headers["access-control-request-method"] !== undefined
        ? {
            "access-control-allow-methods": allow,
            "access-control-allow-headers": lists.allowed,
            "access-control-max-age": preflightSeconds
          }
        : undefined
  }
}
