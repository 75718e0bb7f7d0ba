/**
 * Serves one endpoint of the contract: access, body, schema, access that depends on the body, id of
 * the path, handler, in the order of the specification (sections 7 and 13). The caller is known by
 * then.
 */
import {
  type AccessRefused,
  Caller,
  CurrentCaller,
  type Fault,
  makeUnchecked,
  requireAccess,
  requireAccessToInput,
  type ValidationFailed
} from "@solar-sites/core"
import { Context, Effect, Result, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication } from "../contract/Authentication.ts"
import { Compressible, EndpointAccess, PathResource } from "../contract/Conditions.ts"
import { negotiate } from "./Accept.ts"
import { decoderOf, type Raw } from "./Decode.ts"
import { withBodyTag } from "./EntityTag.ts"
import type { Replay, RunOnce } from "./Idempotency.ts"
import { type Refusal, type Refused, refuse } from "./Refused.ts"
import type { Reply } from "./Reply.ts"
import { partsReaderOf } from "./RequestParts.ts"
import type { Route } from "./Routing.ts"

/**
 * A request with a known endpoint. `base` is the path that the application is mounted
 * under. `identify` is for an endpoint that authenticates its caller itself.
 */
interface Incoming {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly base: string
  readonly runOnce: RunOnce
  readonly identify: (caller: Caller) => void
}

/** A request that can be handled: the decoded input, and the bytes of its body. */
interface Prepared {
  readonly input: object
  readonly body: Uint8Array
}

type Answer<A> = Effect.Effect<A, Refusal, CurrentCaller | Scope.Scope>

/** An endpoint with `requiresCaller` is served after authentication. */
export interface ServedEndpoint extends Route {
  readonly requiresCaller: boolean
  /** True when responses may be compressed. */
  readonly isCompressible?: boolean
  readonly serve: (incoming: Incoming) => Answer<HttpServerResponse.HttpServerResponse>
}

/** The decoded parts of a request, as the handler of its endpoint takes them. */
type Input<Endpoint> = Omit<HttpApiEndpoint.Request<Endpoint>, "request" | "endpoint" | "group"> & {
  readonly base: string
}

type Handlers<Endpoints> = {
  readonly [Id in keyof Endpoints]: (
    input: Input<Endpoints[Id]>
  ) => Answer<Reply<HttpApiEndpoint.Success<Endpoints[Id]>["Type"]>>
}

/** A check of the raw request; its faults are reported with those of the schema. */
export type Check = (raw: Raw) => Effect.Effect<unknown, ValidationFailed, CurrentCaller>

/** `pageAt` is the address of the page at a cursor. */
type CsvInput<Endpoint> = Input<Endpoint> & { readonly pageAt: (cursor: string) => string }

/**
 * `csv` serves lists to requests that prefer CSV. `checks` find faults that a schema cannot. `resources` fail when a resource that the request
 * names does not exist; they run before a conflict of its `Idempotency-Key` is reported. `replays`
 * define how responses are stored and restored.
 */
interface Extras<Endpoints> {
  readonly csv?: {
    readonly [Id in keyof Endpoints]?: (input: CsvInput<Endpoints[Id]>) => Answer<HttpServerResponse.HttpServerResponse>
  }
  readonly checks?: { readonly [Id in keyof Endpoints]?: Check }
  readonly resources?: { readonly [Id in keyof Endpoints]?: (input: Input<Endpoints[Id]>) => Answer<unknown> }
  readonly replays?: { readonly [Id in keyof Endpoints]?: Replay }
}

type Handler = (input: object) => Answer<HttpServerResponse.HttpServerResponse>

// A change that has begun is completed, whether the client waits for it or not.
const isRead = (method: string): boolean => method === "GET"

/**
 * Runs as the caller with all scopes, for look-ups within an operation that the caller may perform:
 * whether its resources exist, and what a repetition answers.
 */
export const withAllScopes = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.updateService(effect, CurrentCaller, ({ scopes, ...caller }) => makeUnchecked(Caller, caller))

const idempotencyKeyOf = (endpoint: HttpApiEndpoint.Top, { headers }: HttpServerRequest.HttpServerRequest) =>
  endpoint.method === "POST" ? headers["idempotency-key"] : undefined

interface Served {
  readonly handler: Handler
  readonly csv: Handler | undefined
  readonly check: Check | undefined
  readonly resources: ((input: object) => Answer<unknown>) | undefined
  readonly replay: Replay | undefined
}

const serveEndpoint = (
  group: HttpApiGroup.Top,
  endpoint: HttpApiEndpoint.Top,
  { check, csv, handler, replay, resources }: Served
): ServedEndpoint => {
  const decode = decoderOf(endpoint)
  const missing = Context.getOrElse(group.annotations, PathResource, () => "route_not_found" as const)
  const requiresCaller = endpoint.middlewares.has(Authentication)
  const restoring = replay && { ...replay, restore: (stored: string) => withAllScopes(replay.restore(stored)) }
  const readParts = partsReaderOf(endpoint, requiresCaller)
  const operation = Context.get(endpoint.annotations, EndpointAccess)
  const checkAccess = Effect.flatMap(CurrentCaller, (caller) => requireAccess(caller, operation))

  const settle = (base: string, raw: Raw, moreFaults: ReadonlyArray<Fault>) => {
    const decoded = decode(raw, moreFaults)
    if (Result.isFailure(decoded)) return Effect.fail(decoded.failure)
    const input = { ...decoded.success, base }
    const located =
      endpoint.params === undefined
        ? Effect.succeed(input)
        : raw.params === undefined
          ? refuse(missing)
          : Effect.succeed({ ...input, params: raw.params })
    if (operation.scopesOf === undefined && operation.limitedInput === undefined) return located
    const { payload } = decoded.success
    return Effect.flatMap(CurrentCaller, (caller) =>
      Effect.andThen(requireAccessToInput(caller, operation, payload), located)
    )
  }

  const decodeParts = ({
    base,
    params,
    query,
    request
  }: Incoming): Effect.Effect<Prepared, Refused | AccessRefused, CurrentCaller> => {
    return Effect.flatMap(readParts({ params, query, request }), ({ body, raw }) => {
      const faults =
        check === undefined
          ? Effect.succeed([])
          : Effect.match(check(raw), { onSuccess: () => [], onFailure: ({ faults }) => faults })
      const settled = Effect.flatMap(faults, (moreFaults) => settle(base, raw, moreFaults))
      return Effect.map(settled, (input) => ({ input, body }))
    })
  }

  const prepare = (incoming: Incoming) =>
    requiresCaller ? Effect.andThen(checkAccess, decodeParts(incoming)) : decodeParts(incoming)

  // The second success of a read is 304.
  const isConditional = isRead(endpoint.method) && endpoint.success.size > 1

  const readWith = (incoming: Incoming, run: (input: object) => ReturnType<Handler>) => {
    const response = Effect.interruptible(Effect.flatMap(prepare(incoming), ({ input }) => run(input)))
    return isConditional
      ? Effect.map(response, (response) => withBodyTag(response, incoming.request.headers))
      : response
  }

  const read = (incoming: Incoming) => readWith(incoming, handler)

  const readAs = (csv: Handler) => (incoming: Incoming) => {
    const mediaType = negotiate(incoming.request.headers["accept"])
    if (mediaType === undefined) return Effect.andThen(checkAccess, refuse("not_acceptable"))
    if (mediaType === "application/json") return read(incoming)
    const pageAt = (cursor: string) => {
      const query = new URLSearchParams(incoming.query)
      query.set("cursor", cursor)
      return `${incoming.base}${endpoint.path}?${query}`
    }
    return readWith(incoming, (input) => csv({ ...input, pageAt }))
  }

  const write = (incoming: Incoming) =>
    Effect.flatMap(Effect.interruptible(prepare(incoming)), ({ body, input }) => {
      const { request, runOnce } = incoming
      const key = idempotencyKeyOf(endpoint, request)
      const respond = handler(input)
      if (key === undefined) return respond
      const exist = resources === undefined ? Effect.void : withAllScopes(resources(input))
      return runOnce({ key, method: endpoint.method, url: request.url, body, respond, exist, replay: restoring })
    })

  return {
    method: endpoint.method,
    path: endpoint.path,
    requiresCaller,
    isCompressible: Context.get(endpoint.annotations, Compressible),
    serve: csv !== undefined ? readAs(csv) : isRead(endpoint.method) ? read : write
  }
}

/** Joins a group of the contract with its handlers, one for each endpoint. */
export const serveGroup = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>,
  handlers: Handlers<HttpApiGroup.HttpApiGroup<Id, Endpoints>["endpoints"]>,
  {
    checks = {},
    csv = {},
    replays = {},
    resources = {}
  }: Extras<HttpApiGroup.HttpApiGroup<Id, Endpoints>["endpoints"]> = {}
): ReadonlyArray<ServedEndpoint> => {
  // The signature has checked the types of each pair; a loop over all pairs cannot keep them.
  const untyped = { group, handlers, checks, csv, resources, replays } as unknown as {
    readonly group: HttpApiGroup.Top
    readonly handlers: Readonly<Record<string, Handler>>
    readonly checks: Readonly<Record<string, Check | undefined>>
    readonly csv: Readonly<Record<string, Handler | undefined>>
    readonly resources: Readonly<Record<string, Served["resources"]>>
    readonly replays: Readonly<Record<string, Replay | undefined>>
  }
  return Object.entries(untyped.handlers).flatMap(([name, handler]) => {
    const endpoint = untyped.group.endpoints[name]
    if (endpoint === undefined) return []
    const { checks, csv, replays, resources } = untyped
    const served = { handler, check: checks[name], csv: csv[name], resources: resources[name], replay: replays[name] }
    return [serveEndpoint(untyped.group, endpoint, served)]
  })
}
