/**
 * A client for browsers and Node: promises of plain values, without Effect and
 * without any other dependency at run time.
 */
export type {
  Fault,
  List,
  PlainChangeDocumentStatus as ChangeDocumentStatus,
  PlainCoverageSummary as CoverageSummary,
  PlainCreatePortfolio as CreatePortfolio,
  PlainCreateSite as CreateSite,
  PlainCreateWebhook as CreateWebhook,
  PlainDocument as Document,
  PlainDocumentRequirements as DocumentRequirements,
  PlainDownloadAddress as DownloadAddress,
  PlainEvent as Event,
  PlainIssuedUpload as IssuedUpload,
  PlainIssuedUploads as IssuedUploads,
  PlainIssuedWebhook as IssuedWebhook,
  PlainIssueUploads as IssueUploads,
  PlainListCoverage as ListCoverage,
  PlainListDocuments as ListDocuments,
  PlainListEvents as ListEvents,
  PlainListPortfolios as ListPortfolios,
  PlainListPortfoliosWithSites as ListPortfoliosWithSites,
  PlainListSites as ListSites,
  PlainListWebhookDeliveries as ListWebhookDeliveries,
  PlainListWebhooks as ListWebhooks,
  PlainPortfolio as Portfolio,
  PlainPortfolioWithSites as PortfolioWithSites,
  PlainRefusedUpload as RefusedUpload,
  PlainReplaceRequirements as ReplaceRequirements,
  PlainSite as Site,
  PlainSiteCoverage as SiteCoverage,
  PlainSummariseCoverage as SummariseCoverage,
  PlainUpdatePortfolio as UpdatePortfolio,
  PlainUpdateSite as UpdateSite,
  PlainUpdateWebhook as UpdateWebhook,
  PlainUploadAddress as UploadAddress,
  PlainWebhook as Webhook,
  PlainWebhookDelivery as WebhookDelivery
} from "@solar-sites/core/model"
export type {
  CoverageClient,
  DocumentsClient,
  EventsClient,
  Me,
  PortfoliosClient,
  SitesClient,
  SolarSitesClient,
  UploadsClient,
  WebhooksClient
} from "./Client.ts"
export {
  type Problem,
  SolarSitesAnswerError,
  SolarSitesError,
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesTimeoutError,
  SolarSitesUploadError,
  type UploadErrorCode
} from "./ClientErrors.ts"
export type {
  CallOptions,
  ChangeOptions,
  ClientOperationOptions,
  ClientOptions,
  CreateOptions,
  Fetch,
  SendOptions,
  UploadProgress
} from "./ClientOptions.ts"
export type { UploadFileBody } from "./FileTransfer.ts"
export { makeClient } from "./makeClient.ts"
export type { RetryOptions } from "./Retry.ts"
