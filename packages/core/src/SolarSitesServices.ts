/**
 * All rule services over whichever ports the application provides.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer } from "effect"
import { ApiKeyAuthenticator } from "./api-keys/ApiKeyAuthenticator.ts"
import type { ApiKeyStore } from "./api-keys/ApiKeyStore.ts"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import { ApiKeyUsage } from "./api-keys/ApiKeyUsage.ts"
import * as IdempotencyPurging from "./caller/IdempotencyPurging.ts"
import type { IdempotencyStore } from "./caller/IdempotencyStore.ts"
import type { RateLimiter } from "./caller/RateLimiter.ts"
import { DocumentAudit } from "./documents/DocumentAudit.ts"
import type { DocumentMaintenance } from "./documents/DocumentMaintenance.ts"
import type { DocumentRepository } from "./documents/DocumentRepository.ts"
import { DocumentSweeper } from "./documents/DocumentSweeper.ts"
import { Documents } from "./documents/Documents.ts"
import * as OrganisationRemoval from "./OrganisationRemoval.ts"
import type { AccessChanges } from "./organisations/AccessChanges.ts"
import type { OrganisationRepository } from "./organisations/OrganisationRepository.ts"
import { Organisations } from "./organisations/Organisations.ts"
import type { PortfolioRepository } from "./portfolios/PortfolioRepository.ts"
import { Portfolios } from "./portfolios/Portfolios.ts"
import { CoverImages } from "./sites/CoverImages.ts"
import type { SiteRepository } from "./sites/SiteRepository.ts"
import { Sites } from "./sites/Sites.ts"
import type { DocumentStorage } from "./storage/DocumentStorage.ts"

/**
 * Every port of the core; a layer of adapters provides them all.
 *
 * @category models
 * @since 0.1.0
 */
export type SolarSitesPorts =
  | OrganisationRepository
  | SiteRepository
  | PortfolioRepository
  | DocumentRepository
  | DocumentMaintenance
  | DocumentStorage
  | ApiKeyStore
  | AccessChanges
  | IdempotencyStore
  | RateLimiter

type NameOf<Key> = Key extends `@solar-sites/core/${infer Name}` ? Name : never

/**
 * Holds for a layer that provides every port. Of any other the type error names
 * all ports that are missing.
 *
 * @category models
 * @since 0.1.0
 */
export type ProvidesAllPorts<Provided> = [SolarSitesPorts] extends [Provided]
  ? unknown
  : { readonly "ports that the layer lacks": NameOf<Exclude<SolarSitesPorts, Provided>["key"]> }

/**
 * Every rule service of the core.
 *
 * @category models
 * @since 0.1.0
 */
export type SolarSitesServices =
  | Organisations
  | Sites
  | Portfolios
  | Documents
  | DocumentSweeper
  | DocumentAudit
  | ApiKeys

const Running = Context.Reference<Context.Context<SolarSitesServices> | null>(
  "@solar-sites/core/SolarSitesServices/Running",
  { defaultValue: () => null }
)

const built: Layer.Layer<SolarSitesServices, never, SolarSitesPorts> = Layer.mergeAll(
  Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer)),
  Layer.mergeAll(Sites.layer, Portfolios.layer).pipe(Layer.provide(CoverImages.layer)),
  Documents.layer,
  DocumentSweeper.layerBackground.pipe(Layer.provideMerge(DocumentSweeper.layer)),
  IdempotencyPurging.layerBackground,
  DocumentAudit.layerBackground.pipe(Layer.provideMerge(DocumentAudit.layer)),
  ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer))
)

const ports: Readonly<Record<SolarSitesPorts["key"], true>> = {
  "@solar-sites/core/OrganisationRepository": true,
  "@solar-sites/core/SiteRepository": true,
  "@solar-sites/core/PortfolioRepository": true,
  "@solar-sites/core/DocumentRepository": true,
  "@solar-sites/core/DocumentMaintenance": true,
  "@solar-sites/core/DocumentStorage": true,
  "@solar-sites/core/ApiKeyStore": true,
  "@solar-sites/core/AccessChanges": true,
  "@solar-sites/core/IdempotencyStore": true,
  "@solar-sites/core/RateLimiter": true
}

/** Dies with the names of all ports that the context lacks; Effect alone would name the first. */
const checkPorts: Effect.Effect<void> = Effect.flatMap(Effect.context<never>(), ({ mapUnsafe }) => {
  const missing = Object.keys(ports).filter((key) => !mapUnsafe.has(key))
  if (missing.length === 0) return Effect.void
  const names = missing.map((key) => key.replace("@solar-sites/core/", "")).join(", ")
  const hint = "merge adapters that provide them, such as Postgres.layer, S3.layer, RateLimiter.layerInProcess"
  return Effect.die(new TypeError(`layer: it lacks ${names}; ${hint} and AccessChanges.layerInProcess`))
})

/**
 * All services; the sweeper, the audit and the purge of idempotency keys are at work in the background for as
 * long as the layer lives. Over what `layerFrom` gives they are the ones that run
 * already.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<SolarSitesServices, never, SolarSitesPorts> = Layer.unwrap(
  Effect.flatMap(Running, (running) =>
    running === null ? Effect.as(checkPorts, built) : Effect.succeed(Layer.succeedContext(running))
  )
)

/**
 * What runs already, for a further binding of the same process: it shares the
 * ports and the services, and never closes them.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFrom = <E>(
  running: Effect.Effect<Context.Context<SolarSitesPorts | SolarSitesServices>, E>
): Layer.Layer<SolarSitesPorts | SolarSitesServices, E> =>
  Layer.effectContext(Effect.map(running, (context) => Context.add(context, Running, context)))
