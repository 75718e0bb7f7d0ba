/**
 * The client: the endpoints as methods. Plain values go in and come out, as they
 * are on the wire.
 *
 * @since 0.1.0
 */
import type { CallOptions, ChangeOptions, CreateOptions, SendOptions } from "./ClientOptions.ts"
import type { UploadFileBody } from "./FileTransfer.ts"
import type * as Wire from "./Wire.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface SitesClient {
  readonly create: (site: Wire.CreateSite, options?: CreateOptions) => Promise<Wire.Site>
  readonly get: (siteId: string, options?: CallOptions) => Promise<Wire.Site>
  /** One answer: complete without `limit`, a page with it. */
  readonly list: (query?: Wire.ListSites, options?: CallOptions) => Promise<Wire.List<Wire.Site>>
  /** All of them, fetched in pages of `limit`. */
  readonly iterate: (query?: Wire.ListSites, options?: CallOptions) => AsyncGenerator<Wire.Site, void, undefined>
  readonly update: (siteId: string, changes: Wire.UpdateSite, options?: ChangeOptions) => Promise<Wire.Site>
  readonly delete: (siteId: string, options?: ChangeOptions) => Promise<void>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface PortfoliosClient {
  readonly create: (portfolio: Wire.CreatePortfolio, options?: CreateOptions) => Promise<Wire.Portfolio>
  /** 1–100, all or nothing, answered in this order. */
  readonly createMany: (
    portfolios: ReadonlyArray<Wire.CreatePortfolio>,
    options?: CreateOptions
  ) => Promise<ReadonlyArray<Wire.Portfolio>>
  readonly get: (portfolioId: string, options?: CallOptions) => Promise<Wire.Portfolio>
  /** One answer: complete without `limit`, a page with it. */
  readonly list: (query?: Wire.ListPortfolios, options?: CallOptions) => Promise<Wire.List<Wire.Portfolio>>
  /** All of them, fetched in pages of `limit`. */
  readonly iterate: (
    query?: Wire.ListPortfolios,
    options?: CallOptions
  ) => AsyncGenerator<Wire.Portfolio, void, undefined>
  /** One answer: complete without `limit`, a page with it. */
  readonly listWithSites: (
    query?: Wire.ListPortfoliosWithSites,
    options?: CallOptions
  ) => Promise<Wire.List<Wire.PortfolioWithSites>>
  /** All of them, fetched in pages of `limit`, 100 at most. */
  readonly iterateWithSites: (
    query?: Wire.ListPortfoliosWithSites,
    options?: CallOptions
  ) => AsyncGenerator<Wire.PortfolioWithSites, void, undefined>
  readonly update: (
    portfolioId: string,
    changes: Wire.UpdatePortfolio,
    options?: ChangeOptions
  ) => Promise<Wire.Portfolio>
  /** Its sites stay, in no portfolio. */
  readonly delete: (portfolioId: string, options?: ChangeOptions) => Promise<void>
  /** 1–1,000, all or nothing; answers each site once, in this order. */
  readonly addSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: CreateOptions
  ) => Promise<ReadonlyArray<Wire.Site>>
  /** 1–1,000, all or nothing; `expectedVersion` is the version of the portfolio. */
  readonly removeSites: (portfolioId: string, siteIds: ReadonlyArray<string>, options?: ChangeOptions) => Promise<void>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface DocumentsClient {
  /** Addresses for 1–20 files. A file that policy refuses has an error instead and does not harm the others. */
  readonly issueUploads: (uploads: Wire.IssueUploads, options?: CreateOptions) => Promise<Wire.IssuedUploads>
  /** A new address for a document that is pending or failed. */
  readonly reissueUpload: (documentId: string, options?: CreateOptions) => Promise<Wire.IssuedUpload>
  readonly get: (documentId: string, options?: CallOptions) => Promise<Wire.Document>
  /** One answer: complete without `limit`, a page with it. */
  readonly list: (query?: Wire.ListDocuments, options?: CallOptions) => Promise<Wire.List<Wire.Document>>
  /** All of them, fetched in pages of `limit`. */
  readonly iterate: (
    query?: Wire.ListDocuments,
    options?: CallOptions
  ) => AsyncGenerator<Wire.Document, void, undefined>
  readonly changeStatus: (
    documentId: string,
    change: Wire.ChangeDocumentStatus,
    options?: ChangeOptions
  ) => Promise<Wire.Document>
  /** Holds for five minutes. */
  readonly downloadUrl: (documentId: string, options?: CallOptions) => Promise<Wire.DownloadAddress>
  /** In any state. */
  readonly delete: (documentId: string, options?: ChangeOptions) => Promise<void>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface UploadsClient {
  /**
   * Sends a file to the address it was given. When that has lapsed, or the connection was lost, and the document
   * is still pending, once more to a new one. Resolves when storage has it; the document becomes `uploaded` soon after, or at once by
   * `documents.changeStatus`. Rejects with a `SolarSitesUploadError` when the file was not taken.
   */
  readonly send: (
    result: Wire.IssuedUpload | Wire.RefusedUpload,
    file: UploadFileBody,
    options?: SendOptions
  ) => Promise<void>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface SolarSitesClient {
  readonly sites: SitesClient
  readonly portfolios: PortfoliosClient
  readonly documents: DocumentsClient
  readonly uploads: UploadsClient
  /** The organisation and the key in use. */
  readonly me: (options?: CallOptions) => Promise<Wire.Me>
}
