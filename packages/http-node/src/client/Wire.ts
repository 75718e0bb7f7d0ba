/**
 * What goes over the wire, as types: the encoded side of the contract's schemas,
 * so plain JSON values, with timestamps as RFC 3339 text.
 *
 * @since 0.1.0
 */
import type * as Model from "@solar-sites/core/model"
import type * as Contract from "../contract/index.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type Site = typeof Model.Site.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type CreateSite = typeof Model.CreateSite.Encoded

/**
 * An absent member keeps its value, `null` clears an optional one.
 *
 * @category models
 * @since 0.1.0
 */
export type UpdateSite = typeof Model.UpdateSite.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type ListSites = typeof Model.ListSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type Portfolio = typeof Model.Portfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PortfolioWithSites = typeof Model.PortfolioWithSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type CreatePortfolio = typeof Model.CreatePortfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type UpdatePortfolio = typeof Model.UpdatePortfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type ListPortfolios = typeof Model.ListPortfolios.Encoded

/**
 * At most 100 portfolios a page.
 *
 * @category models
 * @since 0.1.0
 */
export type ListPortfoliosWithSites = typeof Model.ListPortfoliosWithSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type Document = typeof Model.Document.Encoded

/**
 * `reason` goes with `failed`.
 *
 * @category models
 * @since 0.1.0
 */
export type ChangeDocumentStatus = typeof Model.ChangeDocumentStatus.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type ListDocuments = typeof Model.ListDocuments.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type DownloadAddress = typeof Contract.DownloadAddress.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type IssueUploads = typeof Model.IssueUploads.Encoded

/**
 * One result per file, in the order of the request.
 *
 * @category models
 * @since 0.1.0
 */
export type IssuedUploads = typeof Model.IssuedUploads.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type IssuedUpload = typeof Model.IssuedUpload.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type RefusedUpload = typeof Model.RefusedUpload.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type UploadAddress = typeof Model.UploadAddress.Encoded

/**
 * The organisation and the key in use.
 *
 * @category models
 * @since 0.1.0
 */
export type Me = typeof Contract.Me.Encoded

/**
 * One fault of a request: where (RFC 6901), which, and what would be right.
 *
 * @category models
 * @since 0.1.0
 */
export type Fault = typeof Model.Fault.Encoded

/**
 * Why a request was refused (RFC 9457).
 *
 * @category models
 * @since 0.1.0
 */
export type Problem = typeof Contract.Problem.Encoded

/**
 * A page, or the whole: `nextCursor` is null when nothing follows.
 *
 * @category models
 * @since 0.1.0
 */
export interface List<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}
