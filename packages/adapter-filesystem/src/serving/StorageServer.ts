/**
 * Serves the signed addresses of a folder under `/storage`, next to the API and
 * not as a part of it: no key is asked for, the address is the permission.
 *
 * @since 0.1.0
 */
import { parseStorageKey, StorageKey, type StorageKeyParts } from "@solar-sites/core"
import { Cause, Clock, Context, Effect, Fiber, type Layer, Option, type Schema, type Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Folder } from "../Folder.ts"
import { DownloadTerms, UploadTerms, verify } from "../Signature.ts"
import { isUnderWay } from "./Body.ts"
import { type CorsOrigins, preflight, withCors } from "./Cors.ts"
import { download } from "./Download.ts"
import { asRefused, problemResponse, Refused, refuse } from "./Refused.ts"
import { requestIdOf } from "./RequestId.ts"
import { upload } from "./Upload.ts"

/**
 * `prefix` (such as `/solar`): where the host has mounted it, when requests
 * still carry that. `onStored` is told of every file that is in place, and the
 * client waits up to 5 s for it; it may fail, the file is there all the same.
 * `beforeReading` gets the platform's own request before the first byte of its
 * body is read: for servers that answer `Expect: 100-continue` themselves.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServingOptions {
  readonly prefix?: string
  readonly onStored?: (key: StorageKey) => Effect.Effect<void, unknown>
  readonly beforeReading?: (source: object) => void
}

/**
 * From a request to its answer; never fails.
 *
 * @category models
 * @since 0.1.0
 */
export type StorageApp = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * @category services
 * @since 0.1.0
 */
export class StorageServer extends Context.Service<
  StorageServer,
  {
    /** The application for paths under `/storage`. */
    readonly app: (options?: ServingOptions) => StorageApp
  }
>()("@solar-sites/adapter-filesystem/StorageServer") {}

export interface ServerParts {
  readonly folder: Folder
  readonly secret: Uint8Array
  readonly maximumFileBytes: number
  readonly corsOrigins: CorsOrigins
  /** Where files that are in place are told, for as long as the adapter lives. */
  readonly scope: Scope.Scope
}

type Request = HttpServerRequest.HttpServerRequest

interface Address {
  readonly key: StorageKey
  readonly parts: StorageKeyParts
  readonly query: string
}

interface Instants {
  readonly begins: number
  readonly expires: number
}

// A clock that is set back a little does not turn away who has just got an address.
const clockStep = 10_000

const methods = "GET, HEAD, PUT"

/** Reads the address letter by letter: nothing is decoded, so that nothing but a key can lead to a file. */
const addressOf = ({ url }: Request, base: string): Effect.Effect<Address, Refused> => {
  const [path = "", ...query] = url.split("?")
  const key = path.startsWith(base) ? path.slice(base.length) : ""
  return Option.match(parseStorageKey(key), {
    onNone: () => refuse("route_not_found"),
    onSome: (parts) => Effect.succeed({ key: StorageKey.make(key), parts, query: query.join("?") })
  })
}

const logged = (cause: Cause.Cause<unknown>) => Effect.logError("A request to the storage failed", cause)

/** Tells `onStored` apart from the request, which may end at any time. */
const teller =
  (scope: Scope.Scope, onStored: ServingOptions["onStored"] = () => Effect.void) =>
  (key: StorageKey): Effect.Effect<Effect.Effect<void>> =>
    Effect.suspend(() => onStored(key)).pipe(
      Effect.catchCause((cause) => Effect.logWarning("A stored file could not be reported", cause)),
      Effect.interruptible,
      Effect.forkIn(scope),
      Effect.map((fiber) => Effect.asVoid(Effect.timeoutOption(Fiber.await(fiber), "5 seconds")))
    )

/** The application over a folder. */
export const makeStorageServer = (server: ServerParts): StorageServer["Service"] => {
  const { corsOrigins, folder, maximumFileBytes, scope, secret } = server

  const termsOf = <Terms extends Instants>(
    method: "GET" | "PUT",
    { key, query }: Address,
    schema: Schema.ConstraintCodec<Terms, unknown>,
    now: number
  ): Effect.Effect<Terms, Refused> =>
    Option.match(verify(secret, method, key, query, schema), {
      onNone: () => refuse("address_invalid"),
      onSome: (terms) => {
        if (now < terms.begins - clockStep) return refuse("address_not_valid_yet")
        return now < terms.expires ? Effect.succeed(terms) : refuse("address_expired")
      }
    })

  const app = ({ beforeReading = () => {}, onStored, prefix = "" }: ServingOptions = {}): StorageApp => {
    const base = `${prefix}/storage/`
    const context = { folder, maximumFileBytes, beforeReading, tell: teller(scope, onStored) }

    const dispatch = Effect.fnUntraced(function* (request: Request) {
      const now = yield* Clock.currentTimeMillis
      const address = yield* addressOf(request, base)
      switch (request.method) {
        case "PUT":
          return yield* upload(context, request, {
            ...address,
            terms: yield* termsOf("PUT", address, UploadTerms, now)
          })
        case "GET":
        case "HEAD": {
          const terms = yield* termsOf("GET", address, DownloadTerms, now)
          return yield* download(folder, request, { ...address, terms, now })
        }
        default:
          return preflight(corsOrigins, request) ?? (yield* refuse("method_not_allowed", { allow: methods }))
      }
    })

    const finish = (request: Request, response: HttpServerResponse.HttpServerResponse, requestId: string) =>
      HttpServerResponse.setHeaders(withCors(corsOrigins, request, response), {
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        "cache-control": response.headers["cache-control"] ?? "no-store",
        // What is left of a refused body is not read, so the connection cannot be used again.
        ...(response.status >= 400 && isUnderWay(request) ? { connection: "close" } : {})
      })

    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const requestId = requestIdOf(request)
      return dispatch(request).pipe(
        Effect.tapError((failure) => (failure._tag === "StorageError" ? logged(Cause.fail(failure)) : Effect.void)),
        Effect.catch((failure) => Effect.succeed(problemResponse(asRefused(failure), requestId))),
        Effect.catchDefect((defect) =>
          Effect.as(logged(Cause.die(defect)), problemResponse(new Refused({ code: "internal" }), requestId))
        ),
        Effect.annotateLogs({ requestId }),
        Effect.map((response) => finish(request, response, requestId))
      )
    })
  }

  return StorageServer.of({ app })
}

/**
 * Adds `/storage` to the router of an Effect server.
 *
 * @category layers
 * @since 0.1.0
 */
export const routes = (
  options: ServingOptions = {}
): Layer.Layer<never, never, HttpRouter.HttpRouter | StorageServer> =>
  HttpRouter.use((router) =>
    Effect.flatMap(StorageServer, ({ app }) =>
      router.add("*", `/${(options.prefix ?? "").slice(1)}${options.prefix ? "/" : ""}storage/*`, app(options))
    )
  )

/**
 * The same as a fetch handler.
 *
 * @category constructors
 * @since 0.1.0
 */
export const toWebHandler = (
  { app }: StorageServer["Service"],
  options: ServingOptions = {}
): ((request: globalThis.Request) => Promise<Response>) => HttpEffect.toWebHandler(app(options))
