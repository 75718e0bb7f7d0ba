/** The client: the operations of the library over HTTP, as promises of plain JSON values. */
import type {
  CoverageOperations,
  DocumentOperations,
  EventOperations,
  PlainDocument,
  PlainEvent,
  PlainIssuedUpload,
  PlainListCoverage,
  PlainListDocuments,
  PlainListEvents,
  PlainListPortfolios,
  PlainListPortfoliosWithSites,
  PlainListSites,
  PlainListWebhookDeliveries,
  PlainListWebhooks,
  PlainPortfolio,
  PlainPortfolioWithSites,
  PlainRefusedUpload,
  PlainSite,
  PlainSiteCoverage,
  PlainWebhook,
  PlainWebhookDelivery,
  PortfolioOperations,
  SiteOperations,
  SolarSitesOperations,
  WebhookOperations
} from "@solar-sites/core/model"
import type * as Contract from "../contract/index.ts"
import type { CallOptions, ClientOperationOptions, SendOptions } from "./ClientOptions.ts"
import type { UploadFileBody } from "./FileTransfer.ts"

/** All items of a list, fetched in pages of `limit`. */
type Iterate<Query, Item> = (query?: Query, options?: CallOptions) => AsyncGenerator<Item, void, undefined>

export interface SitesClient extends SiteOperations<ClientOperationOptions> {
  /** All sites, fetched in pages of `limit` (1,000 by default). */
  readonly iterate: Iterate<PlainListSites, PlainSite>
}

export interface PortfoliosClient extends PortfolioOperations<ClientOperationOptions> {
  /** All portfolios, fetched in pages of `limit` (1,000 by default). */
  readonly iterate: Iterate<PlainListPortfolios, PlainPortfolio>
  /** All portfolios with their sites, fetched in pages of `limit` (100 by default). */
  readonly iterateWithSites: Iterate<PlainListPortfoliosWithSites, PlainPortfolioWithSites>
}

export interface DocumentsClient extends DocumentOperations<ClientOperationOptions> {
  /** All documents, fetched in pages of `limit` (1,000 by default). */
  readonly iterate: Iterate<PlainListDocuments, PlainDocument>
}

export interface EventsClient extends EventOperations<ClientOperationOptions> {
  /** All events up to now, fetched in pages of `limit` (1,000 by default). */
  readonly iterate: Iterate<PlainListEvents, PlainEvent>
}

export interface WebhooksClient extends WebhookOperations<ClientOperationOptions> {
  /** All webhooks, fetched in pages of `limit` (1,000 by default). */
  readonly iterate: Iterate<PlainListWebhooks, PlainWebhook>
  /** All deliveries of a webhook, fetched in pages of `limit` (1,000 by default). */
  readonly iterateDeliveries: (
    webhookId: string,
    ...rest: Parameters<Iterate<PlainListWebhookDeliveries, PlainWebhookDelivery>>
  ) => AsyncGenerator<PlainWebhookDelivery, void, undefined>
}

export interface CoverageClient extends CoverageOperations<ClientOperationOptions> {
  /** The coverage of all sites, fetched in pages of `limit` (1,000 by default). */
  readonly iterate: Iterate<PlainListCoverage, PlainSiteCoverage>
}

export interface UploadsClient {
  /**
   * Sends a file to its upload address, and once more to a new address if the first one has expired
   * or the connection was lost while the document is pending. Resolves when storage has the file.
   * The document becomes `uploaded` soon afterwards, or at once with `documents.changeStatus`.
   * Rejects with `SolarSitesUploadError` if the file was not accepted.
   */
  readonly send: (
    result: PlainIssuedUpload | PlainRefusedUpload,
    file: UploadFileBody,
    options?: SendOptions
  ) => Promise<void>
}

/** The organisation and the API key of the client. */
export type Me = typeof Contract.Me.Encoded

export interface SolarSitesClient extends SolarSitesOperations<ClientOperationOptions> {
  readonly sites: SitesClient
  readonly portfolios: PortfoliosClient
  readonly documents: DocumentsClient
  readonly coverage: CoverageClient
  readonly events: EventsClient
  readonly webhooks: WebhooksClient
  readonly uploads: UploadsClient
  readonly me: (options?: CallOptions) => Promise<Me>
}
