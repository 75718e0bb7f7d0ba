/**
 * Solar Sites for applications without Effect: promises of plain objects. A refusal
 * rejects with an error that has `_tag` and `code`; so does a failure.
 */
import { Layer, Redacted } from "effect"
import { type Adapter, type Adapters, type AnyAdapters, layerOf } from "./Adapters.ts"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import type { CallOptions } from "./caller/CallOptions.ts"
import { Documents } from "./documents/Documents.ts"
import { callerOperations, organisationOperations } from "./promises/CallerOperations.ts"
import * as Input from "./promises/Input.ts"
import type { PlainCaller } from "./promises/PlainModels.ts"
import { makeRunner } from "./promises/Runner.ts"
import type { OrganisationOperations, SolarSitesForCaller } from "./promises/SolarSitesForCaller.ts"
import {
  type Binding,
  layerFrom,
  type RequiredPorts,
  type SolarSitesPorts,
  type SolarSitesServices,
  layer as services
} from "./SolarSitesServices.ts"

/** Make one per process and close it at the end. */
export interface SolarSites extends AsyncDisposable {
  /**
   * The operations of a caller that the application has authenticated. `userId` is the
   * user behind the call; without `scopes` it may do everything; with `portfolioIds` it reaches these portfolios
   * and their sites alone; other members are ignored.
   * With an invalid caller every operation rejects.
   */
  readonly as: (caller: {
    readonly organisationId: string
    readonly userId?: string | null | undefined
    readonly apiKeyId?: string | null | undefined
    readonly scopes?: ReadonlyArray<string> | undefined
    readonly portfolioIds?: ReadonlyArray<string> | undefined
  }) => SolarSitesForCaller

  /** For the operator. Do not expose these to callers. */
  readonly organisations: OrganisationOperations

  /** The caller behind a presented API key, for `as`. */
  readonly authenticate: (apiKey: string, options?: CallOptions) => Promise<PlainCaller>

  /** Reports an object that arrived in storage. Repeated, late and wrong reports change nothing. */
  readonly objectArrived: (path: string, options?: CallOptions) => Promise<void>

  /**
   * The running adapters and services, for an HTTP binding: `toNodeListener(solar)` or
   * `toNodeListener(solar.layer)`. A binding does not close them.
   */
  readonly layer: Layer.Layer<SolarSitesPorts | SolarSitesServices, unknown>

  /**
   * Ends everything, in this order: the HTTP bindings on this `SolarSites`, with the
   * requests they are serving; changes in progress; last uses of keys; the adapters.
   * Reads in progress are interrupted. Repeated calls return the same promise. Close
   * the server of the application first, so that no new connections arrive.
   */
  readonly close: () => Promise<void>

  /** The same as `close`. */
  readonly dispose: () => Promise<void>
}

/** Closes all bindings, then the adapters. The error of a binding is thrown last. */
const closing = (bindings: ReadonlySet<Binding>, dispose: () => Promise<void>): (() => Promise<void>) => {
  const closeAll = async () => {
    const results = await Promise.allSettled([...bindings].map((close) => close()))
    await dispose()
    for (const result of results) if (result.status === "rejected") throw result.reason
  }
  let closed: Promise<void> | undefined
  return () => {
    closed ??= bindings.size === 0 ? dispose() : closeAll()
    return closed
  }
}

function make<Provided, E, Database, Storage>(adapters: AnyAdapters<Provided, E, Database, Storage>): SolarSites
function make(adapters: Adapters | Adapter<RequiredPorts>): SolarSites {
  const bindings = new Set<Binding>()
  const runner = makeRunner(services.pipe(Layer.provideMerge(layerOf(adapters))))
  const close = closing(bindings, runner.dispose)
  return {
    as: (caller) => callerOperations(runner, Input.caller(caller)),
    organisations: organisationOperations(runner),
    authenticate: (apiKey, options) => {
      const presented = Redacted.make(Input.textOf(apiKey), { label: "API key" })
      return runner.read(
        ApiKeys.use(({ authenticate }) => authenticate(presented)),
        options
      )
    },
    objectArrived: (path, options) =>
      runner.write(
        Documents.use(({ objectArrived }) => objectArrived(Input.textOf(path))),
        options
      ),
    layer: layerFrom(runner.context, bindings),
    close,
    dispose: close,
    [Symbol.asyncDispose]: close
  }
}

/**
 * `make` takes adapters by role, or a layer of adapters. It throws a `TypeError` for a
 * wrong option. The error of adapters that cannot be built, or that lack ports, rejects
 * every promise.
 */
export const SolarSites: {
  readonly make: typeof make
  /** The layer of adapters by role, for an HTTP binding or for Effect. */
  readonly layerOf: typeof layerOf
} = { make, layerOf }
