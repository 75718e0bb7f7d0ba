/**
 * Serves the files of the embedded storage under `/storage`, on the listener of
 * the API and apart from it: no key is asked for, and a file may take as long as
 * it takes while something of it moves.
 *
 * @since 0.1.0
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { StorageServer } from "@solar-sites/adapter-filesystem"
import { Documents, type OrganisationId, parseStorageKey } from "@solar-sites/core"
import { type AccessLine, endUnreadAnswers } from "@solar-sites/http-node"
import { Effect, Option, Scope } from "effect"
import type { Listener, NodeListeners } from "./HttpListener.ts"
import { requestIdOf } from "./RequestId.ts"

const base = "/storage/"
const route = `${base}{organisationId}/{siteId}/{documentId}`

// Longer than the adapter waits for the next piece of an upload, so that it can say why it ends.
const longestSilenceMilliseconds = 60_000

const clientClosed = 499

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? ""

/**
 * True for requests that are the storage's.
 *
 * @category listeners
 * @since 0.1.0
 */
export const isForStorage = (request: IncomingMessage): boolean => pathOf(request).startsWith(base)

/**
 * True when the body is a file, which is bounded by its size and not by time.
 *
 * @category listeners
 * @since 0.1.0
 */
export const isUpload = (request: IncomingMessage): boolean => request.method === "PUT" && isForStorage(request)

/** The organisation in the path of an accepted address; anybody can make up the others. */
const organisationOf = (request: IncomingMessage, status: number): OrganisationId | null =>
  Option.match(parseStorageKey(status < 400 ? pathOf(request).slice(base.length) : ""), {
    onNone: () => null,
    onSome: ({ organisationId }) => organisationId
  })

/** Here the time ends with the last byte, not with the first: it is that of the transfer. */
const lineOf = (
  request: IncomingMessage,
  { statusCode, writableFinished }: ServerResponse,
  { requestId, startedAt }: { readonly requestId: string; readonly startedAt: number }
): AccessLine => {
  const status = writableFinished ? statusCode : clientClosed
  return {
    requestId,
    method: request.method ?? "",
    route,
    status,
    durationMs: performance.now() - startedAt,
    organisationId: organisationOf(request, status),
    apiKeyId: null,
    keyPrefix: null
  }
}

/**
 * What answers for the storage, if it is one that is served here. Arrivals are
 * told to `Documents` before the upload is answered.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storageListeners = (
  onRequest: (line: AccessLine) => void
): Effect.Effect<Option.Option<NodeListeners>, never, Documents | Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.serviceOption(StorageServer)
    if (Option.isNone(server)) return Option.none()
    const { objectArrived } = yield* Documents
    const unread = endUnreadAnswers()
    const continues = new WeakMap<object, () => void>()
    const app = server.value.app({
      onStored: objectArrived,
      beforeReading: (source) => continues.get(source)?.()
    })
    // A scope of their own, which closes when the listener is through with them and not before.
    const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const handler = yield* NodeHttpServer.makeHandler(app, { scope })

    const listener: Listener = (request, response) => {
      const exchange = { requestId: requestIdOf(request.headers), startedAt: performance.now() }
      // The application answers under the name that it was asked under.
      request.headers["x-request-id"] = exchange.requestId
      unread.watch(response)
      response.setTimeout(longestSilenceMilliseconds)
      response.once("close", () => onRequest(lineOf(request, response, exchange)))
      handler(request, response)
    }

    const checkContinue: Listener = (request, response) => {
      // Without an interim answer nobody knows whether the body will follow, so the connection ends with the answer.
      response.setHeader("connection", "close")
      continues.set(request, () => {
        response.removeHeader("connection")
        response.writeContinue()
      })
      listener(request, response)
    }
    return Option.some({ listener, checkContinue })
  })
