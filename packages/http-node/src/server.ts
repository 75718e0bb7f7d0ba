/**
 * The HTTP binding in three forms with equal answers: a fetch handler, a listener for
 * node:http and frameworks on it, and routes for an Effect server. The host gives
 * adapters; the rules are composed inside.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { type Adapter, type Adapters, type AnyAdapters, SolarSites, SolarSitesServices } from "@solar-sites/core"
import { Effect, Layer, Scope } from "effect"
import { HttpEffect, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { appOf, run } from "./Building.ts"
import { storageEventsPath } from "./handlers/StorageEventsHandler.ts"
import { chunked } from "./node/Chunking.ts"
import { isExempt, refusingOverloaded } from "./node/Overloaded.ts"
import { makeRefusalPacing, pacingRefusals } from "./node/RefusalPacing.ts"
import { batchResponses } from "./node/ResponseBatching.ts"
import { endUnreadAnswers } from "./node/UnreadAnswers.ts"
import type { HttpOptions } from "./Options.ts"
import { checkOptions } from "./OptionsCheck.ts"
import type { App } from "./pipeline/Answering.ts"
import { beforeReading } from "./pipeline/JsonBody.ts"
import { makeLoadShedding } from "./pipeline/LoadShedding.ts"
import { storageBase } from "./pipeline/Storage.ts"

type Given = Adapters | Adapter<SolarSitesServices.RequiredPorts>

/**
 * Adds all routes to the router of an Effect server, under `options.prefix`. With `catchAll`,
 * paths that the server does not serve otherwise are answered with `route_not_found`.
 */
export const routes = (
  options: HttpOptions & { readonly catchAll?: boolean } = {}
): Layer.Layer<never, never, HttpRouter.HttpRouter | SolarSitesServices.RequiredPorts> => {
  checkOptions(options)
  const prefix: "" | `/${string}` = options.prefix ?? ""
  const all: HttpRouter.PathInput = prefix === "" ? "*" : `${prefix}/*`
  const own = (["api/*", "health/*", "metrics", "openapi.json", "docs"] as const).map(
    (path) => `${prefix}/${path}` as const
  )
  const others = [
    ...(options.home === undefined ? [] : ([`${prefix}/`] as const)),
    ...(options.storage === undefined ? [] : ([`${prefix}/storage/*`] as const)),
    ...(options.storageEvents === undefined ? [] : [`${prefix}${storageEventsPath}` as const]),
    ...(options.secondPrefix === undefined ? [] : ([`${options.secondPrefix}/api/*`] as const)),
    ...new Set((options.endpoints ?? []).map(({ path }) => `${prefix}${path}` as const))
  ]
  const paths: ReadonlyArray<HttpRouter.PathInput> = options.catchAll === true ? [all] : [...own, ...others]
  return HttpRouter.use((router) =>
    Effect.flatMap(appOf(options), (app) =>
      // Each endpoint decides which of its steps can be interrupted.
      Effect.forEach(paths, (path) => router.add("*", path, app, { uninterruptible: true }), { discard: true })
    )
  ).pipe(Layer.provide(SolarSitesServices.layer))
}

type WebHandler = {
  readonly handler: (request: Request) => Promise<Response>
  readonly ready: Promise<void>
  readonly dispose: () => Promise<void>
}

/**
 * A fetch handler. `ready` rejects when the adapters cannot be built. `dispose` does not
 * wait for requests: call it, or `close` of the `SolarSites`, when the server has closed.
 */
export function toWebHandler<Provided, E, Database, Storage>(
  adapters: AnyAdapters<Provided, E, Database, Storage>,
  options?: HttpOptions
): WebHandler
export function toWebHandler(adapters: Given, options: HttpOptions = {}): WebHandler {
  checkOptions(options)
  const dispose = (): Promise<void> => release()
  const { current, ready, release } = run(SolarSites.layerOf(adapters), options, dispose, (app, context) =>
    Effect.succeed(HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(app))
  )
  return { handler: async (request) => (await current())(request), ready, dispose }
}

// In milliseconds. Longer than a storage waits for the next bytes of an upload, so that it can refuse the upload itself.
const longestFileSilence = 60_000

type Listener = (request: IncomingMessage, response: ServerResponse) => void

type NodeListener = {
  readonly listener: Listener
  readonly checkContinue: Listener
  readonly ready: Promise<void>
  readonly close: () => Promise<void>
}

/**
 * A listener for node:http, Express, Fastify and other frameworks on Node. Pass
 * `checkContinue` to the server's event of that name: then a client that asks first sends
 * no body before its key is accepted. `close` turns readiness red, waits for requests in
 * progress and releases the adapters it opened. Close the server before, without waiting:
 * its connections end with the answers that `close` waits for.
 */
export function toNodeListener<Provided, E, Database, Storage>(
  adapters: AnyAdapters<Provided, E, Database, Storage>,
  options?: HttpOptions
): NodeListener
export function toNodeListener(adapters: Given, options: HttpOptions = {}): NodeListener {
  checkOptions(options)
  const layer = SolarSites.layerOf(adapters)
  let closing = false
  // A counter, since a set would keep each response in memory until the next full garbage collection.
  let inFlight = 0
  let onIdle = () => {}
  const isShuttingDown = () => closing || options.isShuttingDown?.() === true
  const fibers = Scope.makeUnsafe()
  const load = makeLoadShedding()
  const refusalDelay = makeRefusalPacing()
  const { unreadTimeoutSeconds = 30 } = options
  const unread = endUnreadAnswers({ timeoutMs: unreadTimeoutSeconds * 1_000 })
  // A connection that is kept alive delays the end of the server until it has been idle for some seconds.
  const ending = (response: HttpServerResponse.HttpServerResponse) =>
    closing ? HttpServerResponse.setHeader(response, "connection", "close") : response
  const answering = (app: App) =>
    app.pipe(
      Effect.flatMap(pacingRefusals(refusalDelay)),
      Effect.flatMap(batchResponses()),
      Effect.map(ending),
      Effect.flatMap(chunked(unread))
    )
  // Loaded here, since the fetch handler does not need it and starts faster without.
  const { current, ready, release } = run(
    layer,
    { ...options, isShuttingDown, load },
    () => close(),
    (app, context) =>
      Effect.promise(() => import("./node/NodeHandler.ts")).pipe(
        Effect.flatMap(({ makeHandler }) => makeHandler(answering(app), { scope: fibers })),
        Effect.provideContext(context)
      )
  )

  const exempt = isExempt(options)
  const files = options.storage === undefined ? undefined : storageBase(options)
  const refuseOverloaded = refusingOverloaded(options, refusalDelay)
  const listener: Listener = (request, response) => {
    if (load.isFull(performance.now()) && !exempt(request)) return refuseOverloaded(request, response)
    unread.watch(response)
    // No other limit holds for an upload that its storage has stopped reading.
    if (files !== undefined && request.url?.startsWith(files)) response.setTimeout(longestFileSilence)
    inFlight += 1
    response.once("close", () => {
      inFlight -= 1
      if (inFlight === 0) onIdle()
    })
    const handler = current()
    if (handler instanceof Promise) void handler.then((ready) => ready(request, response))
    else handler(request, response)
  }

  const checkContinue: Listener = (request, response) => {
    // Without an interim response the client may or may not send the body, so the connection ends with the response.
    response.setHeader("connection", "close")
    beforeReading.set(request, () => {
      if (!closing) response.removeHeader("connection")
      response.writeContinue()
    })
    listener(request, response)
  }

  const end = async () => {
    closing = true
    if (inFlight > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    await release()
  }
  let ended: Promise<void> | undefined
  const close = (): Promise<void> => {
    ended ??= end()
    return ended
  }

  return { listener, checkContinue, ready, close }
}
