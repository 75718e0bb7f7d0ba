/**
 * Groups of endpoints of the host, with a contract like that of the API: `HttpApiGroup`. Bodies,
 * queries and paths are read and decoded as there, with the same faults and limits.
 */
import { Effect, Result, type Scope } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { HostEndpoint, HostEndpointRequest } from "./HostEndpoints.ts"
import { decoderOf } from "./pipeline/Decode.ts"
import { type Refusal, refuse } from "./pipeline/Refused.ts"
import type { Reply } from "./pipeline/Reply.ts"
import { partsReaderOf } from "./pipeline/RequestParts.ts"

type Answer<R, E = Refusal> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | Scope.Scope>

/**
 * What runs around the reading of a request and its handler, such as the check of a session. It provides what
 * `serve` needs, and turns errors of the host (`E`) into refusals. Annotations of the endpoint can say what it demands.
 */
export type HostMiddleware<R, E = never> = (
  incoming: HostEndpointRequest,
  endpoint: HttpApiEndpoint.Top,
  serve: Answer<R, Refusal | E>
) => Answer<never>

/** The decoded parts of a request, as the contract declares them. */
type Input<Endpoint> = Omit<HttpApiEndpoint.Request<Endpoint>, "request" | "endpoint" | "group"> & {
  readonly incoming: HostEndpointRequest
}

type Handlers<Endpoints, R, E> = {
  readonly [Id in keyof Endpoints]: (
    input: Input<Endpoints[Id]>
  ) => Effect.Effect<Reply<HttpApiEndpoint.Success<Endpoints[Id]>["Type"]>, Refusal | E, R | Scope.Scope>
}

const endpointOf = <R, E>(
  endpoint: HttpApiEndpoint.Top,
  handler: (input: object) => Answer<R, Refusal | E>,
  middleware: HostMiddleware<R, E>
): HostEndpoint => {
  const decode = decoderOf(endpoint)
  const readParts = partsReaderOf(endpoint, endpoint.query !== undefined)
  const prepare = ({ params, request }: HostEndpointRequest) => {
    const [, ...query] = request.url.split("?")
    return Effect.flatMap(readParts({ params, query: query.join("?"), request }), ({ raw }) => {
      const decoded = decode(raw, [])
      if (Result.isFailure(decoded)) return Effect.fail(decoded.failure)
      if (endpoint.params !== undefined && raw.params === undefined) return refuse("route_not_found")
      return Effect.succeed({ ...decoded.success, params: raw.params })
    })
  }
  return {
    // The types of the contract have checked both.
    method: endpoint.method as HostEndpoint["method"],
    path: endpoint.path as HostEndpoint["path"],
    serve: (incoming) =>
      middleware(
        incoming,
        endpoint,
        // No change has begun while the request is read.
        Effect.flatMap(Effect.interruptible(prepare(incoming)), (input) => handler({ ...input, incoming }))
      )
  }
}

/** Joins a group with its handlers, one for each endpoint. */
export const hostGroup = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint, R, E = never>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>,
  middleware: HostMiddleware<R, E>,
  handlers: Handlers<HttpApiGroup.HttpApiGroup<Id, Endpoints>["endpoints"], R, E>
): ReadonlyArray<HostEndpoint> => {
  // The signature has checked the types of each pair; a loop over all pairs cannot keep them.
  const untyped = { group, handlers } as unknown as {
    readonly group: HttpApiGroup.Top
    readonly handlers: Readonly<Record<string, (input: object) => Answer<R, Refusal | E>>>
  }
  return Object.entries(untyped.group.endpoints).flatMap(([name, endpoint]) => {
    const handler = untyped.handlers[name]
    return handler === undefined ? [] : [endpointOf(endpoint, handler, middleware)]
  })
}
