/**
 * The JSON form of the models: what promises and HTTP carry. Instants are RFC 3339 text.
 * `PlainX` is the encoded form of the schema `X`.
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

export type PlainOrganisation = typeof Organisation.Encoded

export type PlainCreateOrganisation = typeof CreateOrganisation.Encoded

export type PlainUpdateOrganisation = typeof UpdateOrganisation.Encoded

export type PlainSite = typeof Site.Encoded

export type PlainCreateSite = typeof CreateSite.Encoded

/** An absent member keeps its value; `null` clears an optional one. */
export type PlainUpdateSite = typeof UpdateSite.Encoded

export type PlainListSites = typeof ListSites.Encoded

export type PlainPortfolio = typeof Portfolio.Encoded

export type PlainPortfolioWithSites = typeof PortfolioWithSites.Encoded

export type PlainCreatePortfolio = typeof CreatePortfolio.Encoded

export type PlainUpdatePortfolio = typeof UpdatePortfolio.Encoded

export type PlainListPortfolios = typeof ListPortfolios.Encoded

/** At most 100 portfolios per page. */
export type PlainListPortfoliosWithSites = typeof ListPortfoliosWithSites.Encoded

/**
 * One part of a streamed listing of portfolios with their sites, in order: a new portfolio, more
 * sites of the portfolio before, or the end with the cursor of the next page.
 */
export type PlainPortfolioPart =
  | { readonly _tag: "Portfolio"; readonly portfolio: PlainPortfolio }
  | { readonly _tag: "Sites"; readonly sites: ReadonlyArray<PlainSite> }
  | { readonly _tag: "End"; readonly nextCursor: string | null }

export type PlainDocument = typeof Document.Encoded

export type PlainListDocuments = typeof ListDocuments.Encoded

export type PlainListRevisions = typeof ListRevisions.Encoded

/** Status and metadata; null clears. `reason` belongs to the status `failed`. */
export type PlainChangeDocumentStatus = typeof ChangeDocumentStatus.Encoded

export type PlainDownloadAddress = typeof DownloadAddress.Encoded

export type PlainIssueUploads = typeof IssueUploads.Encoded

/** Reports, too. */
export type PlainIssueHostUploads = typeof IssueHostUploads.Encoded

/** One result per file, in the order of the request. */
export type PlainIssuedUploads = typeof IssuedUploads.Encoded

export type PlainIssuedUpload = typeof IssuedUpload.Encoded

export type PlainRefusedUpload = typeof RefusedUpload.Encoded

export type PlainUploadAddress = typeof UploadAddress.Encoded

export type PlainApiKey = typeof ApiKey.Encoded

/** `expiresIn` is text such as `90 days`. */
export type PlainCreateApiKey = Omit<typeof CreateApiKey.Encoded, "expiresIn"> & { readonly expiresIn?: string }

export type PlainListApiKeys = typeof ListApiKeys.Encoded

/** A key and its organisation. */
export interface PlainApiKeyAccess {
  readonly apiKey: PlainApiKey
  readonly organisation: PlainOrganisation | null
}

/** A new key with its whole secret. No other call returns the secret. */
export interface PlainIssuedApiKey {
  readonly apiKey: PlainApiKey
  readonly secret: string
}

/** The caller behind an API key, for `as`. */
export type PlainCaller = typeof Caller.Encoded
