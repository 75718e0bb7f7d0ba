/** Rule services of Solar Sites, their ports and their refusals. */
export type { Adapter, Adapters, AnyAdapters, UploadOptions } from "./Adapters.ts"
export {
  type ApiKeyAccess,
  CreateApiKey,
  defaultApiKeyLife,
  type IssuedApiKey,
  ListApiKeys,
  maximumLiveApiKeys,
  RotateApiKey
} from "./api-keys/ApiKey.ts"
export { type AccessRefusal, ApiKeyAuthenticator } from "./api-keys/ApiKeyAuthenticator.ts"
export { ApiKeyRecord, apiKeyEvent, apiKeyKind } from "./api-keys/ApiKeyKind.ts"
export { type ApiKeyOwnerLookUp, ApiKeyOwners } from "./api-keys/ApiKeyOwners.ts"
export { type ApiKeyCommands, apiKeyRecords } from "./api-keys/ApiKeyRecords.ts"
export { apiKeyOf } from "./api-keys/ApiKeyRules.ts"
export * as ApiKeySecret from "./api-keys/ApiKeySecret.ts"
export { ApiKeyStore, type ApiKeyUse } from "./api-keys/ApiKeyStore.ts"
export { ApiKeys } from "./api-keys/ApiKeys.ts"
export { ApiKeyUsage } from "./api-keys/ApiKeyUsage.ts"
export { type AccessRefused, type Guarded, requireAccess, requireAccessToInput } from "./caller/AccessGuard.ts"
export {
  type IdempotencyClaim,
  type IdempotencyKey,
  type IdempotencyOutcome,
  type IdempotencyPurge,
  type IdempotencyRequest,
  IdempotencyStore,
  idempotencyCaller,
  maximumAnswerBytes
} from "./caller/IdempotencyStore.ts"
export {
  decideRate,
  millisUntilAllowed,
  type RateBucket,
  type RateDecision,
  RateLimiter,
  type RateQuota
} from "./caller/RateLimiter.ts"
export { isReached, type LimitedReach, type Reach, reachParts } from "./caller/Reach.ts"
export { RequestId } from "./caller/RequestId.ts"
export { DocumentAudit, type Orphans } from "./documents/DocumentAudit.ts"
export { documentClaiming } from "./documents/DocumentClaiming.ts"
export type { DocumentCommands, DocumentStep, FileClaims } from "./documents/DocumentCommands.ts"
export { FileNotDeleted } from "./documents/DocumentErrors.ts"
export {
  DocumentRecord,
  documentEvent,
  documentKind,
  documentOf,
  FileRecord,
  fileKind
} from "./documents/DocumentKind.ts"
export {
  type Claim,
  DocumentMaintenance,
  type PendingDocument
} from "./documents/DocumentMaintenance.ts"
export { documentsWithin, pageOfDocuments, pageOfRevisions } from "./documents/DocumentPages.ts"
export { documentRecords } from "./documents/DocumentRecords.ts"
export { DocumentRepository, documentSortKeys } from "./documents/DocumentRepository.ts"
export { DocumentSweeper, type SweepResult } from "./documents/DocumentSweeper.ts"
export { Documents } from "./documents/Documents.ts"
export {
  type EndingConditions,
  type EndingDocument,
  type EndingPageRequest,
  type EndingPosition,
  hasEnding,
  pageOfEnding
} from "./documents/EndingDocuments.ts"
export { OmRecordDirectory, type OmRecordLookUp } from "./documents/OmRecordDirectory.ts"
export { siteDeletion } from "./documents/SiteDeletion.ts"
export { changesBetween } from "./events/Event.ts"
export { type EventOrigin, eventIdAt, eventOrigins, originWithoutEvents } from "./events/EventOrigin.ts"
export { eventsWithin, pageOfEvents } from "./events/EventPages.ts"
export { EventRetention } from "./events/EventPurging.ts"
export { type EventPageRequest, EventRepository } from "./events/EventRepository.ts"
export { Events } from "./events/Events.ts"
export { subjectTypeOf } from "./events/EventType.ts"
export type { HostOmRecordFunctions, HostOrganisationFunctions, HostUserFunctions } from "./HostFunctions.ts"
export * as HostOrganisations from "./HostOrganisations.ts"
export { IdGenerator, makeUuidV7 } from "./ids/IdGenerator.ts"
export { RandomBytes } from "./ids/RandomBytes.ts"
export { SeededIds, seededIds, withSeededIds } from "./ids/SeededIds.ts"
export { dayOf, daysAfter } from "./input/CalendarDate.ts"
export { csvLine, csvText } from "./input/Csv.ts"
export { foldings, foldText, searchedText, searchedWords } from "./input/FoldedText.ts"
export { instantText } from "./input/InstantText.ts"
export { normalised } from "./input/NormalForm.ts"
export { type CursorKind, decodeCursor, encodeCursor, type SortValue } from "./lists/Cursor.ts"
export { pageOf, takePage } from "./lists/ItemPages.ts"
export { allConditionsRead, type Page, type PageRequest } from "./lists/Page.ts"
export { jsonOf, type PageJson, withJson } from "./lists/PageJson.ts"
export type { SortDirection, SortedPageRequest } from "./lists/Sorting.ts"
export type { SortKey, SortKeys } from "./lists/SortKey.ts"
export * from "./model.ts"
export * as OrganisationRemoval from "./OrganisationRemoval.ts"
export { OrganisationContents, type RemovedContents } from "./operators/OrganisationContents.ts"
export { OrganisationRepository } from "./operators/OrganisationRepository.ts"
export { Organisations } from "./operators/Organisations.ts"
export { type AccessChange, AccessChanges } from "./organisations/AccessChanges.ts"
export { portfolioEvent, portfolioKind } from "./portfolios/PortfolioKind.ts"
export type { PortfolioPart } from "./portfolios/PortfolioListing.ts"
export { pageOfPortfolios, pageOfSlices, portfoliosWithin, withTotals } from "./portfolios/PortfolioPages.ts"
export { type PortfolioCommands, portfolioRecords } from "./portfolios/PortfolioRecords.ts"
export {
  type MovedSites,
  type PortfolioChanges,
  PortfolioRepository,
  type PortfolioSlice,
  portfolioSortKeys,
  type SiteMove,
  type SlicePosition
} from "./portfolios/PortfolioRepository.ts"
export { Portfolios } from "./portfolios/Portfolios.ts"
export { siteMoving } from "./portfolios/SiteMoving.ts"
export type {
  ApiKeyOperations,
  HostDocumentOperations,
  HostPortfolioOperations,
  OrganisationOperations,
  SolarSitesForCaller
} from "./promises/SolarSitesForCaller.ts"
export * as ReachedPorts from "./ReachedPorts.ts"
export { writtenKinds } from "./RecordKinds.ts"
export { type Command, type DecidedChange, type Decision, makeDeciding } from "./records/Deciding.ts"
export { eventAbout, named } from "./records/EventAbout.ts"
export { type Found, type FoundRecords, foundOf, withObstacle } from "./records/Found.ts"
export { IdempotencyClaimRecord, idempotencyClaimKind, idempotencyClaims } from "./records/IdempotencyClaims.ts"
export { loadTooLarge, withinLimits } from "./records/LoadLimit.ts"
export { makeUnchecked, maximumAddedMembers } from "./records/MakeUnchecked.ts"
export { numberedEvents } from "./records/NumberedEvents.ts"
export { fullBounds, memberText, obstacleTo, type StoredRecords } from "./records/Obstacles.ts"
export { organisationEvent, organisationKind, organisationReference } from "./records/OrganisationReference.ts"
export { type RecordJson, recordJson } from "./records/RecordJson.ts"
export * from "./records/RecordKind.ts"
export { type ListOptions, type LoadOptions, Records } from "./records/Records.ts"
export { recordsIn } from "./records/RecordsWithin.ts"
export { type AnnouncementCommands, announcementRecords } from "./requirements/AnnouncementRecords.ts"
export { Coverage } from "./requirements/Coverage.ts"
export {
  type CoverageSources,
  coverageSummary,
  healthOfStates,
  pageOfCoverage,
  sitesOfHealth,
  sourcesWithin
} from "./requirements/CoveragePages.ts"
export { type ExpiryItem, type ExpiryPage, type ExpirySection, expirySections } from "./requirements/ExpiryList.ts"
export { type ExpiryQuery, ExpiryReport } from "./requirements/ExpiryReport.ts"
export { portfolioDeletion } from "./requirements/PortfolioDeletion.ts"
export {
  documentRequirements,
  RequirementListRecord,
  RequirementRecord,
  requirementKind,
  requirementListKind,
  requirementRecords,
  requirementsEvent
} from "./requirements/RequirementKind.ts"
export { type RequirementCommands, requirementListRecords } from "./requirements/RequirementRecords.ts"
export {
  type CoverageConditions,
  type CoveragePage,
  RequirementRepository
} from "./requirements/RequirementRepository.ts"
export { Requirements } from "./requirements/Requirements.ts"
export { SolarSites } from "./SolarSites.ts"
export * as SolarSitesServices from "./SolarSitesServices.ts"
export { CoverImages, withoutOwnCover } from "./sites/CoverImages.ts"
export { presentPortfolios } from "./sites/PresentPortfolios.ts"
export {
  type ClusterConditions,
  fewSites,
  gridOf,
  type MapSection,
  MapSectionText,
  mapSectionOf,
  maximumNamedSites,
  partsOfCell,
  type SiteClusters
} from "./sites/SiteClusters.ts"
export { SitesIncomplete, SitesTooLarge } from "./sites/SiteErrors.ts"
export { FindClusters, FindSites, SiteFinder } from "./sites/SiteFinder.ts"
export { portfolioReference, siteEvent, siteKind } from "./sites/SiteKind.ts"
export { sortedAttributes } from "./sites/SiteLabels.ts"
export { clustersOfSites, pageOfSites, sitesWithin } from "./sites/SitePages.ts"
export { type SiteCommands, siteRecords } from "./sites/SiteRecords.ts"
export {
  type SavedSite,
  type SavedSites,
  type SiteChanges,
  SiteRepository,
  type SiteSave,
  siteSortKeys
} from "./sites/SiteRepository.ts"
export { changedSite } from "./sites/SiteRules.ts"
export { siteSaving } from "./sites/SiteSaving.ts"
export { Sites } from "./sites/Sites.ts"
export { siteTagging, type TagChange, type Untagged } from "./sites/SiteTagging.ts"
export { contentDisposition } from "./storage/ContentDisposition.ts"
export {
  DocumentStorage,
  type DownloadRequest,
  type ListedObject,
  type SignedUpload,
  type StoredObject,
  type UploadRequest,
  type Validity
} from "./storage/DocumentStorage.ts"
export { RequestOrigin } from "./storage/RequestOrigin.ts"
export { SignatureInvalid } from "./storage/SignatureInvalid.ts"
export { parseStorageKey, type StorageKeyParts, storageKey, storageKeyIn } from "./storage/StorageKey.ts"
export { type CheckedVersion, checkedVersion } from "./versions/CheckedVersion.ts"
export type { ChangeOptions } from "./versions/Version.ts"
export type { IssuedWebhook } from "./webhooks/Webhook.ts"
export type { SigningWebhook, WebhookChanges, WebhookCommands } from "./webhooks/WebhookCommands.ts"
export { webhookDelivering, withLastDelivery } from "./webhooks/WebhookDelivering.ts"
export { WebhookDeliveryRecord, webhookDeliveryKind, webhookDeliveryOf } from "./webhooks/WebhookDeliveryKind.ts"
export { signingSecrets, WebhookRecord, webhookKind } from "./webhooks/WebhookKind.ts"
export {
  type AttemptResult,
  type ClaimedDelivery,
  type DueWebhook,
  type WebhookClaim,
  WebhookQueue
} from "./webhooks/WebhookQueue.ts"
export { webhookRecords } from "./webhooks/WebhookRecords.ts"
export { webhookOf } from "./webhooks/WebhookRules.ts"
export { type WebhookRequest, WebhookSender } from "./webhooks/WebhookSender.ts"
export * as WebhookSigning from "./webhooks/WebhookSigning.ts"
export { Webhooks } from "./webhooks/Webhooks.ts"
export { WebhookWorkerStart } from "./webhooks/WebhookWorker.ts"
