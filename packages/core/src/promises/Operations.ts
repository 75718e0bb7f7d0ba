/**
 * The operations that library and HTTP client have in common: same names, arguments and results.
 * `SolarSites.make(…).as(caller)` and `makeClient(…)` of http-node both implement
 * `SolarSitesOperations`. An id that is no UUID is the id of nothing.
 */
import type { List } from "../persistence/Page.ts"
import type { OperationOptions } from "./CallOptions.ts"
import type { PlainBulkSites, PlainBulkSitesResult } from "./PlainBulkSites.ts"
import type {
  PlainCoverageSummary,
  PlainDocumentRequirements,
  PlainListCoverage,
  PlainReplaceRequirements,
  PlainSiteCoverage,
  PlainSummariseCoverage
} from "./PlainCoverage.ts"
import type { PlainEvent, PlainListEvents } from "./PlainEvents.ts"
import type {
  PlainChangeDocumentStatus,
  PlainCreatePortfolio,
  PlainCreateSite,
  PlainDocument,
  PlainDownloadAddress,
  PlainIssuedUpload,
  PlainIssuedUploads,
  PlainIssueUploads,
  PlainListDocuments,
  PlainListPortfolios,
  PlainListPortfoliosWithSites,
  PlainListRevisions,
  PlainListSites,
  PlainPortfolio,
  PlainPortfolioWithSites,
  PlainSite,
  PlainUpdatePortfolio,
  PlainUpdateSite
} from "./PlainModels.ts"
import type {
  PlainCreateWebhook,
  PlainIssuedWebhook,
  PlainListWebhookDeliveries,
  PlainListWebhooks,
  PlainUpdateWebhook,
  PlainWebhook,
  PlainWebhookDelivery
} from "./PlainWebhooks.ts"

export interface SiteOperations<Options extends OperationOptions = OperationOptions> {
  readonly create: (site: PlainCreateSite, options?: Options["create"]) => Promise<PlainSite>
  /**
   * Creates 1–1,000 sites, or with the mode `upsert` changes the stored sites with their external
   * ids: all or none, with results in the order of the input.
   */
  readonly bulk: (input: PlainBulkSites, options?: Options["create"]) => Promise<PlainBulkSitesResult>
  readonly get: (siteId: string, options?: Options["read"]) => Promise<PlainSite>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListSites, options?: Options["read"]) => Promise<List<PlainSite>>
  /** Values that are stored already change nothing, `version` included. */
  readonly update: (siteId: string, changes: PlainUpdateSite, options?: Options["change"]) => Promise<PlainSite>
  readonly delete: (siteId: string, options?: Options["change"]) => Promise<void>
}

export interface PortfolioOperations<Options extends OperationOptions = OperationOptions> {
  readonly create: (portfolio: PlainCreatePortfolio, options?: Options["create"]) => Promise<PlainPortfolio>
  /** 1–100 portfolios, all or none; results in the order of the input. */
  readonly createMany: (
    portfolios: ReadonlyArray<PlainCreatePortfolio>,
    options?: Options["create"]
  ) => Promise<ReadonlyArray<PlainPortfolio>>
  readonly get: (portfolioId: string, options?: Options["read"]) => Promise<PlainPortfolio>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListPortfolios, options?: Options["read"]) => Promise<List<PlainPortfolio>>
  /** Each portfolio with all its sites; complete without `limit`. */
  readonly listWithSites: (
    query?: PlainListPortfoliosWithSites,
    options?: Options["read"]
  ) => Promise<List<PlainPortfolioWithSites>>
  /** Values that are stored already change nothing, `version` included. */
  readonly update: (
    portfolioId: string,
    changes: PlainUpdatePortfolio,
    options?: Options["change"]
  ) => Promise<PlainPortfolio>
  /** The sites stay, without a portfolio. */
  readonly delete: (portfolioId: string, options?: Options["change"]) => Promise<void>
  /**
   * Moves 1–1,000 sites into the portfolio, all or none. Returns each site once, in the order of
   * the input. Repeating the call changes nothing.
   */
  readonly addSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: Options["create"]
  ) => Promise<ReadonlyArray<PlainSite>>
  /** Removes 1–1,000 sites, all or none. `expectedVersion` is the version of the portfolio. */
  readonly removeSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: Options["change"]
  ) => Promise<void>
}

export interface DocumentOperations<Options extends OperationOptions = OperationOptions> {
  /** Issues addresses for 1–20 files of one site. A refused file has an error in its result. */
  readonly issueUploads: (uploads: PlainIssueUploads, options?: Options["create"]) => Promise<PlainIssuedUploads>
  /** Issues a new address for a pending or failed document. */
  readonly reissueUpload: (documentId: string, options?: Options["create"]) => Promise<PlainIssuedUpload>
  readonly get: (documentId: string, options?: Options["read"]) => Promise<PlainDocument>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListDocuments, options?: Options["read"]) => Promise<List<PlainDocument>>
  /** The chain of revisions with this document, newest first; complete without `limit`. */
  readonly listRevisions: (
    documentId: string,
    query?: PlainListRevisions,
    options?: Options["read"]
  ) => Promise<List<PlainDocument>>
  /**
   * Changes status and metadata in one step, or metadata alone in any status. The status becomes
   * `uploaded` (verified in storage), `approved`, `completed`, or `failed` with a reason.
   */
  readonly changeStatus: (
    documentId: string,
    change: PlainChangeDocumentStatus,
    options?: Options["change"]
  ) => Promise<PlainDocument>
  /** A download as an attachment with the original name, valid for 5 minutes. */
  readonly downloadUrl: (documentId: string, options?: Options["read"]) => Promise<PlainDownloadAddress>
  /** In any status. The stored file is deleted soon afterwards. */
  readonly delete: (documentId: string, options?: Options["change"]) => Promise<void>
}

/** The documents that sites need. */
export interface RequirementOperations<Options extends OperationOptions = OperationOptions> {
  /** Empty and of version 0 until the list is replaced for the first time. */
  readonly get: (options?: Options["read"]) => Promise<PlainDocumentRequirements>
  /** Replaces the whole list; an equal list changes nothing. `expectedVersion` can be 0. */
  readonly replace: (
    requirements: PlainReplaceRequirements,
    options?: Options["change"]
  ) => Promise<PlainDocumentRequirements>
}

export interface EventOperations<Options extends OperationOptions = OperationOptions> {
  /**
   * Ascending by `sequence`; complete without `limit`. With `limit`, in ascending order, `nextCursor`
   * is never null: at the end it is the place from which to go on later.
   */
  readonly list: (query?: PlainListEvents, options?: Options["read"]) => Promise<List<PlainEvent>>
}

export interface WebhookOperations<Options extends OperationOptions = OperationOptions> {
  /** The secret is returned only here and by `rotateSecret`. */
  readonly create: (webhook: PlainCreateWebhook, options?: Options["create"]) => Promise<PlainIssuedWebhook>
  readonly get: (webhookId: string, options?: Options["read"]) => Promise<PlainWebhook>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListWebhooks, options?: Options["read"]) => Promise<List<PlainWebhook>>
  /** Values that are stored already change nothing, `version` included. */
  readonly update: (
    webhookId: string,
    changes: PlainUpdateWebhook,
    options?: Options["change"]
  ) => Promise<PlainWebhook>
  readonly delete: (webhookId: string, options?: Options["change"]) => Promise<void>
  /** Returns a new secret. The one before it signs too for 24 hours. */
  readonly rotateSecret: (webhookId: string, options?: Options["create"]) => Promise<PlainIssuedWebhook>
  /** Sends an event `webhook.test` once and returns its delivery. */
  readonly test: (webhookId: string, options?: Options["create"]) => Promise<PlainWebhookDelivery>
  /** Oldest first; complete without `limit`. */
  readonly listDeliveries: (
    webhookId: string,
    query?: PlainListWebhookDeliveries,
    options?: Options["read"]
  ) => Promise<List<PlainWebhookDelivery>>
  /** Makes a delivery due at once, in any status. */
  readonly retry: (webhookId: string, deliveryId: string, options?: Options["create"]) => Promise<PlainWebhookDelivery>
}

/** How far the sites have the documents that they need. */
export interface CoverageOperations<Options extends OperationOptions = OperationOptions> {
  /** Sites with their items, oldest site first; complete without `limit`. */
  readonly list: (query?: PlainListCoverage, options?: Options["read"]) => Promise<List<PlainSiteCoverage>>
  /** Numbers of sites per document type and state. */
  readonly summary: (query?: PlainSummariseCoverage, options?: Options["read"]) => Promise<PlainCoverageSummary>
}

/** All operations of one caller, within the caller's organisation. */
export interface SolarSitesOperations<Options extends OperationOptions = OperationOptions> {
  readonly sites: SiteOperations<Options>
  readonly portfolios: PortfolioOperations<Options>
  readonly documents: DocumentOperations<Options>
  readonly requirements: RequirementOperations<Options>
  readonly coverage: CoverageOperations<Options>
  readonly events: EventOperations<Options>
  readonly webhooks: WebhookOperations<Options>
}
