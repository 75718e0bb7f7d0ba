/** Layers of the Postgres adapter: all ports that a database provides. */
import type { SolarSitesServices } from "@solar-sites/core"
import { Config, Effect, Layer } from "effect"
import type { PgSql } from "./client/PgDriver.ts"
import type { PgClientOptions, PgLayerOptions } from "./client/PgOptions.ts"
import * as PgDocumentRepository from "./lists/PgDocumentRepository.ts"
import * as PgEventRepository from "./lists/PgEventRepository.ts"
import * as PgOrganisationRepository from "./lists/PgOrganisationRepository.ts"
import * as PgPortfolioRepository from "./lists/PgPortfolioRepository.ts"
import * as PgRequirementRepository from "./lists/PgRequirementRepository.ts"
import * as PgSiteRepository from "./lists/PgSiteRepository.ts"
import { PgClient } from "./PgClient.ts"
import { settings } from "./PgSettings.ts"
import * as PgApiKeyStore from "./queues/PgApiKeyStore.ts"
import * as PgDocumentMaintenance from "./queues/PgDocumentMaintenance.ts"
import * as PgIdempotencyStore from "./queues/PgIdempotencyStore.ts"
import * as PgWebhookQueue from "./queues/PgWebhookQueue.ts"
import * as PgRecords from "./records/PgRecords.ts"

export type PgPorts = SolarSitesServices.DatabasePorts

const repositories = Layer.mergeAll(
  PgOrganisationRepository.layer,
  PgSiteRepository.layer,
  PgPortfolioRepository.layer,
  PgDocumentRepository.layer,
  PgDocumentMaintenance.layer,
  PgRequirementRepository.layer,
  PgApiKeyStore.layer,
  PgIdempotencyStore.layer,
  PgEventRepository.layer,
  PgWebhookQueue.layer
)

/** The ports over any client, with further kinds of records. */
export const layerPortsWith = (options: PgRecords.PgRecordsOptions): Layer.Layer<PgPorts, never, PgClient> =>
  Layer.provideMerge(repositories, PgRecords.layerWith(options))

/** The ports over any client. */
export const layerPorts: Layer.Layer<PgPorts, never, PgClient> = layerPortsWith({})

/**
 * Opens a pool and closes it with the scope. Provides the ports, and the client for
 * `migrate`. Throws a `TypeError` for a wrong option.
 */
export const layer = (options: PgLayerOptions): Layer.Layer<PgPorts | PgClient> =>
  Layer.provideMerge(layerPorts, PgClient.layer(options))

/** Uses a postgres.js client of the host and never closes it. */
export const layerFrom = (sql: PgSql, options?: PgClientOptions): Layer.Layer<PgPorts | PgClient> =>
  Layer.provideMerge(layerPorts, PgClient.layerFrom(sql, options))

/** As `layer`, with the `settings` of the environment (specification, section 9). */
export const layerConfig: Layer.Layer<PgPorts | PgClient, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return layer(yield* Config.all(settings))
  })
)
