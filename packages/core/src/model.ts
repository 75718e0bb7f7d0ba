/** Models, inputs and refusals of Solar Sites without services. Safe to import in a browser. */
export { ApiKey, apiKeyMembers } from "./api-keys/ApiKey.ts"
export {
  ApiKeyExpired,
  ApiKeyInvalid,
  ApiKeyNotFound,
  KeysNotManageable,
  TooManyApiKeys
} from "./api-keys/ApiKeyErrors.ts"
export { ApiScope, apiScopes, hasAllScopes, ScopeMissing } from "./caller/ApiScope.ts"
export { ApiKeyId, Caller, CurrentCaller, UserId } from "./caller/Caller.ts"
export type { CallOptions, ChangeCallOptions, OperationOptions } from "./caller/CallOptions.ts"
export { idempotencyKeyHours } from "./caller/IdempotencyPolicy.ts"
export type { Access, Operation } from "./caller/Operation.ts"
export { PortfolioId } from "./caller/PortfolioId.ts"
export { isWithinLimit, maximumPortfolioLimit, PortfolioIds, type PortfolioLimit } from "./caller/PortfolioLimit.ts"
export { CallerLimited, PortfolioRequired } from "./caller/Reach.ts"
export {
  Document,
  type DocumentConditions,
  DocumentId,
  DocumentPurpose,
  type DocumentSort,
  DocumentType,
  DownloadAddress,
  documentMembers,
  ListDocuments,
  ListRevisions,
  maximumPendingDocuments,
  OmRecordId
} from "./documents/Document.ts"
export {
  AlreadyReplaced,
  DocumentNotFound,
  InvalidFilename,
  InvalidTransition,
  OmRecordNotFound,
  refusalOf,
  TooManyPending,
  UploadMismatch,
  UploadNotFound
} from "./documents/DocumentErrors.ts"
export { ChangeDocumentStatus, type DocumentChanges } from "./documents/DocumentMetadata.ts"
export type {
  DocumentOperations,
  PlainChangeDocumentStatus,
  PlainDocument,
  PlainDownloadAddress,
  PlainIssuedUpload,
  PlainIssuedUploads,
  PlainIssueHostUploads,
  PlainIssueUploads,
  PlainListDocuments,
  PlainListRevisions,
  PlainRefusedUpload,
  PlainUploadAddress
} from "./documents/DocumentOperations.ts"
export { documentStates, hasFile, statesWithFile } from "./documents/DocumentStates.ts"
export { DocumentStatus, statesBefore, transitions } from "./documents/DocumentStatus.ts"
export { type FileLimits, type RefusedFile, readMimeType, refusalOfFile } from "./documents/FilePolicy.ts"
export { maximumUploadFiles } from "./documents/UploadLimit.ts"
export {
  downloadAddressLife,
  FileRefusal,
  UploadPolicy,
  type UploadPolicySettings,
  uploadAddressLife
} from "./documents/UploadPolicy.ts"
export {
  IssuedUpload,
  IssuedUploads,
  IssueHostUploads,
  IssueUploads,
  RefusedUpload,
  UploadAddress,
  UploadFile
} from "./documents/UploadRequest.ts"
export {
  Event,
  EventActor,
  EventChanges,
  type EventConditions,
  EventId,
  ListEvents
} from "./events/Event.ts"
export type { EventOperations, PlainEvent, PlainListEvents } from "./events/EventOperations.ts"
export { EventPattern, EventSubjectType, EventType, eventTypes, eventTypesIn } from "./events/EventType.ts"
export { ExternalId, ExternalIdTaken } from "./ids/ExternalId.ts"
export { CalendarDate } from "./input/CalendarDate.ts"
export { maximumSearchCharacters } from "./input/SearchLimit.ts"
export { Name } from "./input/Text.ts"
export { Fault, faultsOf, pointerTo, ValidationFailed } from "./input/ValidationFailed.ts"
export {
  firstPageSize,
  followingPageSize,
  type List,
  listOf,
  MaximumPageBytes,
  maximumPageSize,
  paging,
  sortedPageSize,
  uncountedPageSize
} from "./lists/Page.ts"
export { operations, type SolarSitesOperations } from "./Operations.ts"
export {
  CreateOrganisation,
  Organisation,
  OrganisationId,
  OrganisationStatus,
  organisationMembers,
  UpdateOrganisation
} from "./organisations/Organisation.ts"
export { OrganisationInactive, OrganisationMissing, OrganisationNotFound } from "./organisations/OrganisationErrors.ts"
export {
  CreatePortfolio,
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  Portfolio,
  type PortfolioConditions,
  type PortfolioSort,
  PortfolioWithSites,
  portfolioMembers,
  SiteIds,
  UpdatePortfolio
} from "./portfolios/Portfolio.ts"
export { SiteNotInPortfolio } from "./portfolios/PortfolioErrors.ts"
export type {
  PlainCreatePortfolio,
  PlainListPortfolios,
  PlainListPortfoliosWithSites,
  PlainPortfolio,
  PlainPortfolioPart,
  PlainPortfolioWithSites,
  PlainUpdatePortfolio,
  PortfolioOperations
} from "./portfolios/PortfolioOperations.ts"
export type {
  PlainApiKey,
  PlainApiKeyAccess,
  PlainCaller,
  PlainCreateApiKey,
  PlainCreateOrganisation,
  PlainIssuedApiKey,
  PlainListApiKeys,
  PlainOrganisation,
  PlainUpdateOrganisation
} from "./promises/PlainModels.ts"
export { RepositoryError } from "./repositories/RepositoryError.ts"
export {
  DocumentRequirement,
  DocumentRequirements,
  ReplaceRequirements
} from "./requirements/Requirement.ts"
export type {
  CoverageOperations,
  PlainCoverageSummary,
  PlainDocumentRequirements,
  PlainListCoverage,
  PlainReplaceRequirements,
  PlainSiteCoverage,
  PlainSummariseCoverage,
  RequirementOperations
} from "./requirements/RequirementOperations.ts"
export { expiringDays, maximumRequirements } from "./requirements/RequirementPolicy.ts"
export {
  CoverageItem,
  CoverageState,
  CoverageSummary,
  ListCoverage,
  SiteCoverage,
  SummariseCoverage
} from "./requirements/SiteCoverage.ts"
export { Capacity, CapacityUnit, capacityKw, kilowattsPerUnit, totalCapacityKw } from "./sites/Capacity.ts"
export { PortfolioNotFound, PortfoliosNotFound } from "./sites/PortfolioReference.ts"
export {
  ChangedCoverImageUrl,
  CoverImageUrl,
  CreateSite,
  emptySiteMembers,
  ListSites,
  Site,
  type SiteConditions,
  SiteId,
  SiteManager,
  type SiteMembers,
  type SiteSort,
  siteMembers,
  UpdateSite
} from "./sites/Site.ts"
export { BulkOutcome, BulkSites, BulkSitesResult, UpsertSite } from "./sites/SiteBulkInput.ts"
export { SiteNotFound } from "./sites/SiteErrors.ts"
export { type FoundSites, type HealthOnDay, SiteHealth } from "./sites/SiteHealth.ts"
export { Attributes, Tags } from "./sites/SiteLabels.ts"
export type {
  PlainBulkSites,
  PlainBulkSitesResult,
  PlainCreateSite,
  PlainListSites,
  PlainSite,
  PlainUpdateSite,
  SiteOperations
} from "./sites/SiteOperations.ts"
export { maximumTaggedSites, maximumTags } from "./sites/TagLimits.ts"
export { StorageError } from "./storage/StorageError.ts"
export { StorageKey } from "./storage/StorageKey.ts"
export { type ExpectedVersions, isExpected, Version, VersionMismatch } from "./versions/Version.ts"
export {
  CreateWebhook,
  ListWebhooks,
  UpdateWebhook,
  Webhook,
  WebhookId,
  WebhookWithSecret
} from "./webhooks/Webhook.ts"
export {
  ListWebhookDeliveries,
  WebhookDelivery,
  WebhookDeliveryId,
  webhookTestType
} from "./webhooks/WebhookDelivery.ts"
export {
  DeliveryNotFound,
  TooManyWebhooks,
  WebhookAddressNotAllowed,
  WebhookNotFound,
  WebhookSendFailed,
  WebhookSendFailure
} from "./webhooks/WebhookErrors.ts"
export type {
  PlainCreateWebhook,
  PlainIssuedWebhook,
  PlainListWebhookDeliveries,
  PlainListWebhooks,
  PlainUpdateWebhook,
  PlainWebhook,
  PlainWebhookDelivery,
  WebhookOperations
} from "./webhooks/WebhookOperations.ts"
export * from "./webhooks/WebhookPolicy.ts"
