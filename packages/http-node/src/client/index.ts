/**
 * A client for browsers and Node: promises of plain values, without Effect and
 * without any other dependency at run time.
 *
 * @since 0.1.0
 */
export type { DocumentsClient, PortfoliosClient, SitesClient, SolarSitesClient, UploadsClient } from "./Client.ts"
export {
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
  ClientOptions,
  CreateOptions,
  Fetch,
  SendOptions,
  UploadProgress
} from "./ClientOptions.ts"
export type { UploadFileBody } from "./FileTransfer.ts"
export { makeClient } from "./makeClient.ts"
export type { RetryOptions } from "./Retry.ts"
export type {
  ChangeDocumentStatus,
  CreatePortfolio,
  CreateSite,
  Document,
  DownloadAddress,
  Fault,
  IssuedUpload,
  IssuedUploads,
  IssueUploads,
  List,
  ListDocuments,
  ListPortfolios,
  ListPortfoliosWithSites,
  ListSites,
  Me,
  Portfolio,
  PortfolioWithSites,
  RefusedUpload,
  Site,
  UpdatePortfolio,
  UpdateSite,
  UploadAddress
} from "./Wire.ts"
