/**
 * Serves the files of a storage that has no server of its own, under `/storage`. There is no API
 * key and no rate limit: the signed address is the permission.
 */
import { type Documents, parseStorageKey, type StorageError } from "@solar-sites/core"
import { Cause, Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpOptions, StorageRefused } from "../Options.ts"
import type { Dispatch } from "./Answering.ts"
import { corsOf } from "./Cors.ts"
import { beforeReading } from "./JsonBody.ts"
import { HostRefused, type Refused, refuse } from "./Refused.ts"

const route = "/storage/{organisationId}/{siteId}/{documentId}"

// A full disk is rarely freed within a second.
const full = {
  detail: "There is no room for this file at the moment.",
  headers: { "retry-after": "60" }
}

/** Logs the failure and refuses the file when the storage is full; other failures are returned. */
const onStorageError = (error: StorageError, requestId: string): Effect.Effect<never, StorageError | Refused> =>
  error.reason === "full"
    ? Effect.logWarning("A request failed", Cause.fail(error)).pipe(
        Effect.annotateLogs({ requestId, route }),
        Effect.andThen(refuse(error.code, full))
      )
    : Effect.fail(error)

/** Path that files are served under. */
export const storageBase = ({ prefix }: HttpOptions): string => `${prefix ?? ""}/storage/`

/** Dispatches requests to files; `undefined` for a path that is not below `/storage`. */
export const storageDispatch = (
  options: HttpOptions,
  { objectArrived }: Documents["Service"]
): ((path: string) => Dispatch | undefined) => {
  const { corsOrigins, prefix = "", storage } = options
  if (storage === undefined) return () => undefined
  const base = storageBase(options)
  const cors = corsOf(corsOrigins, "files")
  const app = storage({
    prefix,
    beforeReading: (source) => beforeReading.get(source)?.(),
    onStored: objectArrived
  })

  const dispatch: Dispatch = (request, exchange) => {
    const file = { organisationId: null as string | null }
    exchange.route = route
    exchange.cors = cors
    exchange.file = file
    const refused = ({ code, detail, headers = {}, status, title }: StorageRefused) => {
      const granted = request.method === "OPTIONS" ? cors.preflight(request, headers["allow"] ?? "") : undefined
      return status === 405 && granted !== undefined
        ? Effect.succeed(HttpServerResponse.empty({ status: 204, headers: granted }))
        : Effect.fail(new HostRefused({ status, code, title, detail, headers }))
    }
    return Effect.interruptible(app).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          const [path = ""] = request.url.split("?")
          const key = Option.getOrUndefined(parseStorageKey(path.slice(base.length)))
          file.organisationId = key?.organisationId ?? null
        })
      ),
      Effect.catchTags({
        StorageRefused: refused,
        StorageError: (error) => onStorageError(error, exchange.requestId)
      }),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request)
    )
  }
  return (path) => (path.startsWith(base) ? dispatch : undefined)
}
