/**
 * What an import of sites needs: the rules that judge and store rows, and ports that they have no method for.
 */
import {
  CoverImages,
  type DocumentStorage,
  type IdempotencyStore,
  Portfolios,
  ReachedPorts,
  SiteRepository,
  Sites,
  type SolarSitesServices
} from "@solar-sites/core"
import { Layer } from "effect"

/** All but the store of claims, which are of the whole organisation. */
type ReachedServices = Sites | SiteRepository | Portfolios

export type ImportServices = ReachedServices | IdempotencyStore

/** Within the reach of the current caller. */
export const layer: Layer.Layer<ReachedServices, never, SolarSitesServices.DatabasePorts | DocumentStorage> =
  Layer.mergeAll(Sites.layer, Portfolios.layer, Layer.effect(SiteRepository, SiteRepository)).pipe(
    Layer.provide(CoverImages.layer),
    Layer.provide(ReachedPorts.layer)
  )
