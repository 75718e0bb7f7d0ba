/**
 * In-memory adapters, conformance suites for every port, fixtures, arbitraries, and a harness for
 * the tests of applications.
 */
export * as Arbitraries from "./arbitraries/Arbitraries.ts"
export { accessChangesConformance } from "./conformance/AccessChangesConformance.ts"
export { apiKeyStoreConformance } from "./conformance/ApiKeyStoreConformance.ts"
export {
  type ConformanceAdapter,
  type ConformanceCase,
  type ConformanceSuite,
  runConformance,
  type TestRunner
} from "./conformance/Conformance.ts"
export { documentRepositoryConformance } from "./conformance/DocumentRepositoryConformance.ts"
export {
  documentStorageConformance,
  documentStorageMaximumConformance
} from "./conformance/DocumentStorageConformance.ts"
export { eventRepositoryConformance } from "./conformance/EventRepositoryConformance.ts"
export { idempotencyStoreConformance } from "./conformance/IdempotencyStoreConformance.ts"
export { apiKeyMethods, documentMethods, portfolioMethods, siteMethods } from "./conformance/Methods.ts"
export { organisationDeletionConformance } from "./conformance/OrganisationDeletionConformance.ts"
export { organisationEventConformance } from "./conformance/OrganisationEventConformance.ts"
export { organisationRepositoryConformance } from "./conformance/OrganisationRepositoryConformance.ts"
export { portfolioRepositoryConformance } from "./conformance/PortfolioRepositoryConformance.ts"
export { rateLimiterConformance } from "./conformance/RateLimiterConformance.ts"
export { recordsConformance } from "./conformance/RecordsConformance.ts"
export { requirementRepositoryConformance } from "./conformance/RequirementRepositoryConformance.ts"
export { siteRepositoryConformance } from "./conformance/SiteRepositoryConformance.ts"
export {
  type StorageAnswer,
  StorageClient,
  type StorageDownload,
  type StoragePut
} from "./conformance/StorageClient.ts"
export { webhookQueueConformance } from "./conformance/WebhookConformance.ts"
export {
  aDocument,
  anApiKey,
  anApiKeyDigest,
  anOrganisation,
  anOrganisationId,
  aPortfolio,
  aRequirement,
  aSite,
  aWebhook,
  aWebhookDelivery
} from "./fixtures.ts"
export type { HarnessDelivery, HarnessWebhooks } from "./harness/HarnessWebhooks.ts"
export type { PortMethod } from "./harness/PortFaults.ts"
export * as SolarSitesHarness from "./harness/SolarSitesHarness.ts"
export { type UploadBytes, UploadRefused, type UploadUrl } from "./harness/Upload.ts"
export * as MemoryAdapters from "./memory/MemoryAdapters.ts"
export * as MemoryApiKeyStore from "./memory/MemoryApiKeyStore.ts"
export { MemoryDatabase } from "./memory/MemoryDatabase.ts"
export * as MemoryDocumentRepository from "./memory/MemoryDocumentRepository.ts"
export * as MemoryDocumentStorage from "./memory/MemoryDocumentStorage.ts"
export * as MemoryEventRepository from "./memory/MemoryEventRepository.ts"
export * as MemoryIdempotencyStore from "./memory/MemoryIdempotencyStore.ts"
export * as MemoryOrganisationRepository from "./memory/MemoryOrganisationRepository.ts"
export * as MemoryPortfolioRepository from "./memory/MemoryPortfolioRepository.ts"
export * as MemoryRecords from "./memory/MemoryRecords.ts"
export * as MemoryRequirementRepository from "./memory/MemoryRequirementRepository.ts"
export * as MemorySiteRepository from "./memory/MemorySiteRepository.ts"
export * as MemoryWebhookQueue from "./memory/MemoryWebhookQueue.ts"
