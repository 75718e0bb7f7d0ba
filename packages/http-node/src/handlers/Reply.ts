/**
 * Ready answers. The models are typed already and have a wire form, so nothing
 * is validated a second time on the way out.
 */
import { HttpServerResponse } from "effect/http"
import { jsonText } from "./Wire.ts"

declare const answers: unique symbol

/** A response whose body is the wire form of `A`. */
export interface Reply<out A> extends HttpServerResponse.HttpServerResponse {
  readonly [answers]?: A
}

export const jsonMediaType = "application/json"

export const reply = <A>(value: A, options: { status?: number; headers?: Record<string, string> } = {}): Reply<A> =>
  HttpServerResponse.text(jsonText(value), { ...options, contentType: jsonMediaType })

/** A single resource with its version as `ETag`. */
export const replyVersioned = <A extends { readonly version: number }>(resource: A): Reply<A> =>
  reply(resource, { headers: { etag: `"${resource.version}"` } })

/** A new resource, and where it is. */
export const replyCreated = <A extends { readonly version: number }>(resource: A, location: string): Reply<A> =>
  reply(resource, { status: 201, headers: { etag: `"${resource.version}"`, location } })

export const replyNothing: Reply<void> = HttpServerResponse.empty({ status: 204 })
