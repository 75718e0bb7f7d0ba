/**
 * Every port that Postgres can stand behind, over one client.
 *
 * @since 0.1.0
 */
import type {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
  SiteRepository
} from "@solar-sites/core"
import { type Config, Effect, Layer } from "effect"
import { fromEnvironment } from "./client/PgConfig.ts"
import type { PgSql } from "./client/PgDriver.ts"
import type { PgClientOptions, PgLayerOptions } from "./client/PgOptions.ts"
import { PgClient } from "./PgClient.ts"
import * as PgApiKeyStore from "./repositories/PgApiKeyStore.ts"
import * as PgDocumentMaintenance from "./repositories/PgDocumentMaintenance.ts"
import * as PgDocumentRepository from "./repositories/PgDocumentRepository.ts"
import * as PgIdempotencyStore from "./repositories/PgIdempotencyStore.ts"
import * as PgOrganisationRepository from "./repositories/PgOrganisationRepository.ts"
import * as PgPortfolioRepository from "./repositories/PgPortfolioRepository.ts"
import * as PgSiteRepository from "./repositories/PgSiteRepository.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PgPorts =
  | OrganisationRepository
  | SiteRepository
  | PortfolioRepository
  | DocumentRepository
  | DocumentMaintenance
  | ApiKeyStore
  | IdempotencyStore

/**
 * The ports over whichever client there is, an embedded one too.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPorts: Layer.Layer<PgPorts, never, PgClient> = Layer.mergeAll(
  PgOrganisationRepository.layer,
  PgSiteRepository.layer,
  PgPortfolioRepository.layer,
  PgDocumentRepository.layer,
  PgDocumentMaintenance.layer,
  PgApiKeyStore.layer,
  PgIdempotencyStore.layer
)

/**
 * Opens a pool, and closes it with the scope. The client comes with the ports,
 * for `migrate`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: PgLayerOptions): Layer.Layer<PgPorts | PgClient> =>
  Layer.provideMerge(layerPorts, PgClient.layer(options))

/**
 * Uses a postgres.js client that the host has opened and will close.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFrom = (sql: PgSql, options?: PgClientOptions): Layer.Layer<PgPorts | PgClient> =>
  Layer.provideMerge(layerPorts, PgClient.layerFrom(sql, options))

/**
 * As `layer`, with the settings of the environment: `DATABASE_URL`,
 * `DATABASE_SCHEMA`, `DATABASE_POOL_SIZE`, `DATABASE_POOLER`, `QUERY_TIMEOUT`
 * (specification, section 9).
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<PgPorts | PgClient, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return layer(yield* fromEnvironment)
  })
)
