/** All ports of the core in memory. */
import { AccessChanges, RateLimiter, type Records, type SolarSitesServices } from "@solar-sites/core"
import { Layer } from "effect"
import type { StorageClient } from "../conformance/StorageClient.ts"
import * as MemoryApiKeyStore from "./MemoryApiKeyStore.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryDocumentRepository from "./MemoryDocumentRepository.ts"
import * as MemoryDocumentStorage from "./MemoryDocumentStorage.ts"
import * as MemoryEventRepository from "./MemoryEventRepository.ts"
import * as MemoryIdempotencyStore from "./MemoryIdempotencyStore.ts"
import * as MemoryOrganisationRepository from "./MemoryOrganisationRepository.ts"
import * as MemoryPortfolioRepository from "./MemoryPortfolioRepository.ts"
import * as MemoryRecords from "./MemoryRecords.ts"
import * as MemoryRequirementRepository from "./MemoryRequirementRepository.ts"
import * as MemorySiteRepository from "./MemorySiteRepository.ts"
import * as MemoryWebhookQueue from "./MemoryWebhookQueue.ts"

type Ports = SolarSitesServices.SolarSitesPorts | Records | StorageClient

/** All ports over this memory, and the client of its storage. */
export const over = (database: Layer.Layer<MemoryDatabase>): Layer.Layer<Ports> =>
  Layer.mergeAll(
    MemoryOrganisationRepository.layer,
    MemoryRecords.layer,
    MemorySiteRepository.layer,
    MemoryPortfolioRepository.layer,
    MemoryDocumentRepository.layer,
    MemoryRequirementRepository.layer,
    MemoryApiKeyStore.layer,
    MemoryEventRepository.layer,
    MemoryWebhookQueue.layer,
    MemoryIdempotencyStore.layer
  ).pipe(
    Layer.provide(database),
    Layer.merge(MemoryDocumentStorage.layer),
    Layer.merge(Layer.mergeAll(AccessChanges.layerInProcess, RateLimiter.layerInProcess))
  )

/** All ports on one memory, which is empty each time the layer is built. */
export const layer: Layer.Layer<Ports> = over(MemoryDatabase.layer)
