/**
 * All rule services over whichever ports the application provides.
 *
 * @since 0.1.0
 */
import { Layer } from "effect"
import { ApiKeyAuthenticator } from "./api-keys/ApiKeyAuthenticator.ts"
import type { ApiKeyStore } from "./api-keys/ApiKeyStore.ts"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import { ApiKeyUsage } from "./api-keys/ApiKeyUsage.ts"
import type { AccessChanges } from "./organisations/AccessChanges.ts"
import type { OrganisationRepository } from "./organisations/OrganisationRepository.ts"
import { Organisations } from "./organisations/Organisations.ts"
import type { PortfolioRepository } from "./portfolios/PortfolioRepository.ts"
import { Portfolios } from "./portfolios/Portfolios.ts"
import type { SiteRepository } from "./sites/SiteRepository.ts"
import { Sites } from "./sites/Sites.ts"

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
  | ApiKeyStore
  | AccessChanges

/**
 * Every rule service of the core.
 *
 * @category models
 * @since 0.1.0
 */
export type SolarSitesServices = Organisations | Sites | Portfolios | ApiKeys

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<SolarSitesServices, never, SolarSitesPorts> = Layer.mergeAll(
  Organisations.layer,
  Sites.layer,
  Portfolios.layer,
  ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer))
)
