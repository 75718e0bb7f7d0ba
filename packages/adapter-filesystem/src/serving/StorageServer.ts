/**
 * Serves the signed addresses of a folder under `/storage`. There is no API key: the address is
 * the permission.
 */
import { parseStorageKey, type StorageError, StorageKey, type StorageKeyParts } from "@solar-sites/core"
import { Clock, Context, Effect, Fiber, Option, type Schema, type Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Folder } from "../Folder.ts"
import { DownloadTerms, UploadTerms, verify } from "../Signature.ts"
import { download } from "./Download.ts"
import { refuse, type StorageRefused } from "./Refused.ts"
import { upload } from "./Upload.ts"

/** Options of the application; `@solar-sites/http-node` passes all of them. */
export interface ServingOptions {
  /** Path before `/storage`, such as `/solar`. */
  readonly prefix?: string
  /** Called with the platform's own request before the first byte of a body is read. */
  readonly beforeReading?: (source: object) => void
  /** Called for each stored file. The client waits for it up to 5 s; a failure is logged. */
  readonly onStored?: (key: StorageKey) => Effect.Effect<void, unknown>
}

/** From a request to its response. Refusals and failures are rendered by the server. */
export type StorageApp = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  StorageRefused | StorageError,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

export class StorageServer extends Context.Service<
  StorageServer,
  {
    /** The application for paths under `/storage`: the option `storage` of `@solar-sites/http-node`. */
    readonly app: (serving?: ServingOptions) => StorageApp
  }
>()("@solar-sites/adapter-filesystem/StorageServer") {}

export interface ServerParts {
  readonly folder: Folder
  readonly secret: Uint8Array
  readonly maximumFileBytes: number
  /** Scope of the adapter, in which stored files are reported. */
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

// In milliseconds. An address stays valid when the clock is set back a little after it was issued.
const clockStep = 10_000

const methods = "GET, HEAD, PUT"

/** Compares the path literally: nothing is decoded, so that only a storage key leads to a file. */
const addressOf = ({ url }: Request, base: string): Effect.Effect<Address, StorageRefused> => {
  const [path = "", ...query] = url.split("?")
  const key = path.startsWith(base) ? path.slice(base.length) : ""
  return Option.match(parseStorageKey(key), {
    onNone: () => refuse("route_not_found"),
    onSome: (parts) => Effect.succeed({ key: StorageKey.make(key), parts, query: query.join("?") })
  })
}

/** Runs `onStored` in the scope of the adapter, because the request may end at any time. */
const reporting =
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
  const { folder, maximumFileBytes, scope, secret } = server

  const termsOf = <Terms extends Instants>(
    method: "GET" | "PUT",
    { key, query }: Address,
    schema: Schema.ConstraintCodec<Terms, unknown>,
    now: number
  ): Effect.Effect<Terms, StorageRefused> =>
    Option.match(verify(secret, method, key, query, schema), {
      onNone: () => refuse("address_invalid"),
      onSome: (terms) => {
        if (now < terms.begins - clockStep) return refuse("address_not_valid_yet")
        return now < terms.expires ? Effect.succeed(terms) : refuse("address_expired")
      }
    })

  const app = ({ beforeReading = () => {}, onStored, prefix = "" }: ServingOptions = {}): StorageApp => {
    const base = `${prefix}/storage/`
    const context = { folder, maximumFileBytes, beforeReading, report: reporting(scope, onStored) }

    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const now = yield* Clock.currentTimeMillis
      const address = yield* addressOf(request, base)
      switch (request.method) {
        case "PUT": {
          const terms = yield* termsOf("PUT", address, UploadTerms, now)
          return yield* upload(context, request, { ...address, terms })
        }
        case "GET":
        case "HEAD": {
          const terms = yield* termsOf("GET", address, DownloadTerms, now)
          return yield* download(folder, request, { ...address, terms, now })
        }
        default:
          return yield* refuse("method_not_allowed", { allow: methods })
      }
    })
  }

  return StorageServer.of({ app })
}
