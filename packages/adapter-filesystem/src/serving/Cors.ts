/**
 * Lets pages of other origins upload and download: those that the host has
 * named, and nobody otherwise.
 */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

const preflightSeconds = "600"

/** Origins as browsers send them, such as `https://app.example.com`; `*` allows every one. */
export type CorsOrigins = ReadonlyArray<string>

const allowed = (origins: CorsOrigins, { headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const { origin } = headers
  return origin !== undefined && (origins.includes(origin) || origins.includes("*")) ? origin : undefined
}

/** The answer to the question of a browser whether it may send a request; `undefined` when none was asked or allowed. */
export const preflight = (
  origins: CorsOrigins,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse | undefined => {
  const { headers, method } = request
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return undefined
  if (allowed(origins, request) === undefined) return undefined
  return HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, PUT",
      "access-control-allow-headers": "Content-Type, Range, If-Range, If-None-Match",
      "access-control-max-age": preflightSeconds
    }
  })
}

/** What every answer to a page of another origin needs. */
export const withCors = (
  origins: CorsOrigins,
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  if (origins.length === 0) return response
  const origin = allowed(origins, request)
  return HttpServerResponse.setHeaders(response, {
    vary: "Origin",
    ...(origin === undefined
      ? {}
      : {
          "access-control-allow-origin": origin,
          "access-control-expose-headers": "Content-Disposition, Content-Length, Content-Range, ETag"
        })
  })
}
