/**
 * Builds the application of a binding, with the services and adapters that it needs.
 */
import { SolarSitesServices } from "@solar-sites/core"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpMiddleware } from "effect/http"
import { makeApp } from "./App.ts"
import { HealthChecks, type HttpOptions } from "./Options.ts"
import { type App, refusing } from "./pipeline/Answering.ts"
import type { LoadShedding } from "./pipeline/LoadShedding.ts"

/** The application, with the health checks of the layer and of the options. */
export const appOf: typeof makeApp = (options, load) =>
  Effect.flatMap(HealthChecks, (checks) =>
    Effect.provideService(makeApp(options, load), HealthChecks, [...checks, ...(options.healthChecks ?? [])])
  )

type Running<Handler> = {
  /** Resolves when everything is built, rejects when it cannot be; may be ignored. */
  readonly ready: Promise<void>
  /** The handler; a promise until `ready` has settled. */
  readonly current: () => Handler | Promise<Handler>
  readonly release: () => Promise<void>
}

// Effect fails with a plain string when the runtime of the layer has been disposed.
const asError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(`The layer cannot be built: ${cause}`, { cause })

/**
 * Builds the application and its dependencies. When that fails, or after `release`, requests are
 * answered with 503.
 */
export const run = <Handler>(
  layer: Layer.Layer<SolarSitesServices.RequiredPorts, unknown>,
  options: HttpOptions & { readonly load?: LoadShedding },
  close: () => Promise<void>,
  toHandler: (app: App, context: Context.Context<never>) => Effect.Effect<Handler>
): Running<Handler> => {
  const scope = Scope.makeUnsafe()
  let app: App = refusing(options, "database_unavailable")
  let released: Promise<void> | undefined
  const building = Effect.gen(function* () {
    const context = yield* Layer.buildWithScope(SolarSitesServices.layer.pipe(Layer.provideMerge(layer)), scope)
    const scoped = Context.add(context, Scope.Scope, scope)
    const made = yield* Effect.provideContext(appOf(options, options.load), scoped)
    yield* Effect.provideContext(SolarSitesServices.bind(close), scoped)
    if (released === undefined) app = made
    // The span of Effect would hold the query; the pipeline has its own.
    return Context.add(context, HttpMiddleware.TracerDisabledWhen, () => true)
  })
  const built = Effect.runPromise(
    Effect.tapCause(building, (cause) => Effect.logError("Solar Sites cannot start", cause))
  )
  const handlerIn = (context: Context.Context<never>) =>
    Effect.runPromise(
      toHandler(
        Effect.suspend(() => app),
        context
      )
    )
  let handler: Handler | undefined
  const settled = built.then(handlerIn, () => handlerIn(Context.empty())).then((made) => (handler = made))
  const ready = built.then(
    () => settled.then(() => {}),
    (cause) => Promise.reject(asError(cause))
  )
  // The rejection reaches the host through `ready`; requests are answered in any case.
  ready.catch(() => {})
  return {
    ready,
    current: () => handler ?? settled,
    release: () => {
      app = refusing(options, "shutting_down")
      released ??= Effect.runPromise(Scope.close(scope, Exit.void))
      return released
    }
  }
}
