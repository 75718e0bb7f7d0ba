/**
 * The JSON form of the models: what promises and HTTP carry. Instants are RFC 3339 text.
 * `PlainX` is the encoded form of the schema `X`.
 *
 * @since 0.1.0
 */
import type { ApiKey, CreateApiKey, ListApiKeys } from "../api-keys/ApiKey.ts"
import type { Caller } from "../caller/Caller.ts"
import type { Document, DownloadAddress, ListDocuments, ListRevisions } from "../documents/Document.ts"
import type { ChangeDocumentStatus } from "../documents/DocumentMetadata.ts"
import type {
  IssuedUpload,
  IssuedUploads,
  IssueHostUploads,
  IssueUploads,
  RefusedUpload,
  UploadAddress
} from "../documents/UploadRequest.ts"
import type { CreateOrganisation, Organisation, UpdateOrganisation } from "../organisations/Organisation.ts"
import type {
  CreatePortfolio,
  ListPortfolios,
  ListPortfoliosWithSites,
  Portfolio,
  PortfolioWithSites,
  UpdatePortfolio
} from "../portfolios/Portfolio.ts"
import type { CreateSite, ListSites, Site, UpdateSite } from "../sites/Site.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PlainOrganisation = typeof Organisation.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainCreateOrganisation = typeof CreateOrganisation.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainUpdateOrganisation = typeof UpdateOrganisation.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainSite = typeof Site.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainCreateSite = typeof CreateSite.Encoded

/**
 * An absent member keeps its value; `null` clears an optional one.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainUpdateSite = typeof UpdateSite.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListSites = typeof ListSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainPortfolio = typeof Portfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainPortfolioWithSites = typeof PortfolioWithSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainCreatePortfolio = typeof CreatePortfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainUpdatePortfolio = typeof UpdatePortfolio.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListPortfolios = typeof ListPortfolios.Encoded

/**
 * At most 100 portfolios per page.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainListPortfoliosWithSites = typeof ListPortfoliosWithSites.Encoded

/**
 * One part of a streamed listing of portfolios with their sites, in order: a new portfolio, more
 * sites of the portfolio before, or the end with the cursor of the next page.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainPortfolioPart =
  | { readonly _tag: "Portfolio"; readonly portfolio: PlainPortfolio }
  | { readonly _tag: "Sites"; readonly sites: ReadonlyArray<PlainSite> }
  | { readonly _tag: "End"; readonly nextCursor: string | null }

/**
 * @category models
 * @since 0.1.0
 */
export type PlainDocument = typeof Document.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListDocuments = typeof ListDocuments.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListRevisions = typeof ListRevisions.Encoded

/**
 * Status and metadata; null clears. `reason` belongs to the status `failed`.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainChangeDocumentStatus = typeof ChangeDocumentStatus.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainDownloadAddress = typeof DownloadAddress.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainIssueUploads = typeof IssueUploads.Encoded

/**
 * Reports, too.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainIssueHostUploads = typeof IssueHostUploads.Encoded

/**
 * One result per file, in the order of the request.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainIssuedUploads = typeof IssuedUploads.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainIssuedUpload = typeof IssuedUpload.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainRefusedUpload = typeof RefusedUpload.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainUploadAddress = typeof UploadAddress.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainApiKey = typeof ApiKey.Encoded

/**
 * `expiresIn` is text such as `90 days`.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainCreateApiKey = Omit<typeof CreateApiKey.Encoded, "expiresIn"> & { readonly expiresIn?: string }

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListApiKeys = typeof ListApiKeys.Encoded

/**
 * A key and its organisation.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainApiKeyAccess {
  readonly apiKey: PlainApiKey
  readonly organisation: PlainOrganisation | null
}

/**
 * A new key with its whole secret. No other call returns the secret.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainIssuedApiKey {
  readonly apiKey: PlainApiKey
  readonly secret: string
}

/**
 * The caller behind an API key, for `as`.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainCaller = typeof Caller.Encoded
