/** All rule services over the ports of an application. */
import { Context, Effect, Layer, Option, type Scope } from "effect"
import { ApiKeyAuthenticator } from "./api-keys/ApiKeyAuthenticator.ts"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import { ApiKeyUsage } from "./api-keys/ApiKeyUsage.ts"
import * as IdempotencyPurging from "./caller/IdempotencyPurging.ts"
import { RateLimiter } from "./caller/RateLimiter.ts"
import { DocumentAudit } from "./documents/DocumentAudit.ts"
import { DocumentSweeper } from "./documents/DocumentSweeper.ts"
import { Documents } from "./documents/Documents.ts"
import * as EventPurging from "./events/EventPurging.ts"
import { Events } from "./events/Events.ts"
import * as OrganisationRemoval from "./OrganisationRemoval.ts"
import { Organisations } from "./operators/Organisations.ts"
import { AccessChanges } from "./organisations/AccessChanges.ts"
import { missingPorts, type RequiredPorts, type SharedPorts, type SolarSitesPorts } from "./Ports.ts"
import { Portfolios } from "./portfolios/Portfolios.ts"
import * as ReachedPorts from "./ReachedPorts.ts"
import { Coverage } from "./requirements/Coverage.ts"
import { Requirements } from "./requirements/Requirements.ts"
import * as ValidityAnnouncer from "./requirements/ValidityAnnouncer.ts"
import { CoverImages } from "./sites/CoverImages.ts"
import { Sites } from "./sites/Sites.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import * as WebhookWorker from "./webhooks/WebhookWorker.ts"

export type { DatabasePorts, ProvidesAllPorts, RequiredPorts, SharedPorts, SolarSitesPorts } from "./Ports.ts"

/** Every rule service of the core. */
export type SolarSitesServices =
  | Organisations
  | Sites
  | Portfolios
  | Documents
  | Requirements
  | Coverage
  | DocumentSweeper
  | DocumentAudit
  | ApiKeys
  | Events
  | Webhooks

type Provided = SolarSitesServices | SharedPorts

interface RunningServices {
  readonly services: Context.Context<Provided>
  readonly bindings: Set<Binding>
}

const Running = Context.Reference<RunningServices | null>("@solar-sites/core/SolarSitesServices/Running", {
  defaultValue: () => null
})

const orInProcess = <I, S>(port: Context.Key<I, S>, inProcess: Layer.Layer<I>): Layer.Layer<I> =>
  Layer.unwrap(
    Effect.map(
      Effect.serviceOption(port),
      Option.match({ onNone: () => inProcess, onSome: (service) => Layer.succeed(port, service) })
    )
  )

const shared: Layer.Layer<SharedPorts> = Layer.merge(
  orInProcess(AccessChanges, AccessChanges.layerInProcess),
  orInProcess(RateLimiter, RateLimiter.layerInProcess)
)

const built: Layer.Layer<Provided, never, RequiredPorts> = Layer.mergeAll(
  Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer)),
  Layer.mergeAll(Sites.layer, Portfolios.layer).pipe(Layer.provide(CoverImages.layer)),
  Documents.layer,
  Requirements.layer,
  Coverage.layer,
  Events.layer,
  DocumentSweeper.layerBackground.pipe(Layer.provideMerge(DocumentSweeper.layer)),
  ValidityAnnouncer.layerBackground,
  IdempotencyPurging.layerBackground,
  EventPurging.layerBackground,
  DocumentAudit.layerBackground.pipe(Layer.provideMerge(DocumentAudit.layer)),
  Webhooks.layer,
  WebhookWorker.layerBackground
).pipe(
  Layer.provide(ReachedPorts.layer),
  // Its callers are not limited to portfolios, and it finds the key of any caller.
  Layer.merge(ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer))),
  Layer.provideMerge(shared)
)

/** Dies with the names of all missing ports. Effect alone would name the first. */
const checkPorts: Effect.Effect<void> = Effect.flatMap(Effect.context<never>(), (context) => {
  const missing = missingPorts(context)
  return missing === null ? Effect.void : Effect.die(new TypeError(missing))
})

/**
 * All services. The sweeper, the audit, the announcer of validity, the purges of idempotency keys and events, and
 * the worker of webhooks run in the background until the scope closes. `AccessChanges` and
 * `RateLimiter` are those of the adapters, or in process. Without a `WebhookSender` no webhook
 * is sent. On a layer of `layerFrom` the running services are used.
 */
export const layer: Layer.Layer<SolarSitesServices | SharedPorts, never, RequiredPorts> = Layer.unwrap(
  Effect.flatMap(Running, (running) =>
    running === null ? Effect.as(checkPorts, built) : Effect.succeed(Layer.succeedContext(running.services))
  )
)

/** Ends a binding: resolves when its requests have ended and it holds nothing. */
export type Binding = () => Promise<void>

/**
 * Running services, for a further binding of the same process. It shares the ports
 * and the services and never closes them; `bindings` receives what `bind` registers.
 */
export const layerFrom = <E>(
  running: Effect.Effect<Context.Context<SolarSitesPorts | SolarSitesServices>, E>,
  bindings: Set<Binding> = new Set()
): Layer.Layer<SolarSitesPorts | SolarSitesServices, E> =>
  Layer.effectContext(Effect.map(running, (services) => Context.add(services, Running, { services, bindings })))

/**
 * Registers a binding until the scope closes. `SolarSites.close` closes all bindings
 * on its layer before the adapters. Without running services it does nothing.
 */
export const bind = (close: Binding): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Running, (running) =>
    running === null
      ? Effect.void
      : Effect.acquireRelease(
          Effect.sync(() => void running.bindings.add(close)),
          () => Effect.sync(() => void running.bindings.delete(close))
        )
  )
