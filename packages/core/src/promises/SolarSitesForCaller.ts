/**
 * What applications without Effect can ask for. Inputs are read as they would be
 * over HTTP, with the same faults; a member that is `undefined` is absent, and an
 * id that is no UUID is the id of nothing.
 *
 * @since 0.1.0
 */
import type { ListApiKeys } from "../api-keys/ApiKey.ts"
import type { ChangeDocumentStatus, ListDocuments } from "../documents/Document.ts"
import type { IssuedUpload, IssuedUploads, IssueHostUploads } from "../documents/UploadRequest.ts"
import type { CreateOrganisation, UpdateOrganisation } from "../organisations/Organisation.ts"
import type { RemovedContents } from "../organisations/OrganisationContents.ts"
import type { List } from "../persistence/Page.ts"
import type {
  CreatePortfolio,
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  UpdatePortfolio
} from "../portfolios/Portfolio.ts"
import type { CreateSite, ListSites, UpdateSite } from "../sites/Site.ts"
import type {
  CallOptions,
  ChangeCallOptions,
  PlainApiKey,
  PlainApiKeyAccess,
  PlainDocument,
  PlainIssuedApiKey,
  PlainOrganisation,
  PlainPortfolio,
  PlainPortfolioPart,
  PlainPortfolioWithSites,
  PlainSite
} from "./PlainModels.ts"

/**
 * The promises of `Organisations`: what an operator does, without a caller.
 *
 * @category models
 * @since 0.1.0
 */
export interface OrganisationPromises {
  /** Makes an active organisation. */
  readonly create: (input: typeof CreateOrganisation.Encoded, options?: CallOptions) => Promise<PlainOrganisation>
  readonly get: (organisationId: string, options?: CallOptions) => Promise<PlainOrganisation>
  /** Oldest first; complete without `limit`. */
  readonly list: (
    query?: { readonly limit?: number; readonly cursor?: string },
    options?: CallOptions
  ) => Promise<List<PlainOrganisation>>
  /** Renames, activates or deactivates; a deactivated organisation's keys open nothing from then on. */
  readonly update: (
    organisationId: string,
    changes: typeof UpdateOrganisation.Encoded,
    options?: CallOptions
  ) => Promise<PlainOrganisation>
  /**
   * Removes the organisation with everything that belongs to it, and answers how much that was. Its keys open nothing
   * from the first moment on; stored files are deleted soon after. Can be repeated after an interruption.
   */
  readonly delete: (organisationId: string, options?: CallOptions) => Promise<RemovedContents>
}

/**
 * The promises of `Sites`.
 *
 * @category models
 * @since 0.1.0
 */
export interface SitePromises {
  readonly create: (input: typeof CreateSite.Encoded, options?: CallOptions) => Promise<PlainSite>
  readonly get: (siteId: string, options?: CallOptions) => Promise<PlainSite>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: typeof ListSites.Encoded, options?: CallOptions) => Promise<List<PlainSite>>
  /** Sets what is given; values that are stored already change nothing, the version included. */
  readonly update: (
    siteId: string,
    changes: typeof UpdateSite.Encoded,
    options?: ChangeCallOptions
  ) => Promise<PlainSite>
  readonly delete: (siteId: string, options?: ChangeCallOptions) => Promise<void>
}

type ListWithSites = typeof ListPortfoliosWithSites.Encoded

/**
 * The promises of `Portfolios`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PortfolioPromises {
  readonly create: (input: typeof CreatePortfolio.Encoded, options?: CallOptions) => Promise<PlainPortfolio>
  /** All or nothing; answers in the order asked for. */
  readonly createMany: (
    inputs: typeof CreatePortfolios.Encoded,
    options?: CallOptions
  ) => Promise<ReadonlyArray<PlainPortfolio>>
  readonly get: (portfolioId: string, options?: CallOptions) => Promise<PlainPortfolio>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: typeof ListPortfolios.Encoded, options?: CallOptions) => Promise<List<PlainPortfolio>>
  /** Portfolios, each with all its sites; complete without `limit`. */
  readonly listWithSites: (query?: ListWithSites, options?: CallOptions) => Promise<List<PlainPortfolioWithSites>>
  /** The same in pieces, so that memory stays flat. Each iteration asks anew; nothing is asked before the first. */
  readonly streamWithSites: (query?: ListWithSites, options?: CallOptions) => AsyncIterable<PlainPortfolioPart>
  /** Sets what is given; values that are stored already change nothing, the version included. */
  readonly update: (
    portfolioId: string,
    changes: typeof UpdatePortfolio.Encoded,
    options?: ChangeCallOptions
  ) => Promise<PlainPortfolio>
  /** The sites stay, in no portfolio. */
  readonly delete: (portfolioId: string, options?: ChangeCallOptions) => Promise<void>
  /** Moves sites in, all or none; answers each once, in the order asked for. Repeating it changes nothing. */
  readonly addSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: CallOptions
  ) => Promise<ReadonlyArray<PlainSite>>
  /** Takes sites out, all or none; `expectedVersion` is that of the portfolio. */
  readonly removeSites: (
    portfolioId: string,
    siteIds: ReadonlyArray<string>,
    options?: ChangeCallOptions
  ) => Promise<void>
}

/**
 * The promises of `Documents`.
 *
 * @category models
 * @since 0.1.0
 */
export interface DocumentPromises {
  /** Issues addresses for 1–20 files of one site; reports too. A refused file has an error in its result. */
  readonly issueUploads: (
    input: typeof IssueHostUploads.Encoded,
    options?: CallOptions
  ) => Promise<typeof IssuedUploads.Encoded>
  /** Issues the address of a pending or failed document again. */
  readonly reissueUpload: (documentId: string, options?: CallOptions) => Promise<typeof IssuedUpload.Encoded>
  readonly get: (documentId: string, options?: CallOptions) => Promise<PlainDocument>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: typeof ListDocuments.Encoded, options?: CallOptions) => Promise<List<PlainDocument>>
  /** `uploaded` (looked after in storage), `approved`, `completed`, or `failed` with a reason. */
  readonly changeStatus: (
    documentId: string,
    change: typeof ChangeDocumentStatus.Encoded,
    options?: ChangeCallOptions
  ) => Promise<PlainDocument>
  /** An attachment under the original name, for five minutes, once the file has arrived. */
  readonly downloadUrl: (
    documentId: string,
    options?: CallOptions
  ) => Promise<{ readonly url: string; readonly expiresAt: string }>
  /** In any state; the stored file is deleted soon after. */
  readonly delete: (documentId: string, options?: ChangeCallOptions) => Promise<void>
}

/**
 * The promises of `ApiKeys`, for a person: a key can never manage keys.
 * Durations are texts such as `90 days` or `12 hours`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ApiKeyPromises {
  /** Makes a key that lives 365 days by default. */
  readonly create: (
    input: { readonly name: string; readonly expiresIn?: string },
    options?: CallOptions
  ) => Promise<PlainIssuedApiKey>
  readonly get: (apiKeyId: string, options?: CallOptions) => Promise<PlainApiKey>
  /** Oldest first, expired ones too; complete without `limit`. */
  readonly list: (query?: typeof ListApiKeys.Encoded, options?: CallOptions) => Promise<List<PlainApiKey>>
  /** Answers what was deleted. The key opens nothing here from now on, and within a second elsewhere. */
  readonly delete: (apiKeyId: string, options?: CallOptions) => Promise<PlainApiKey>
  /** Makes a new key of the same name; the old one lives for the overlap (`24 hours` by default, `0 seconds` allowed). */
  readonly rotate: (
    apiKeyId: string,
    options?: CallOptions & { readonly overlap?: string | undefined }
  ) => Promise<PlainIssuedApiKey>
  /** The key that the caller came with; null when it came without one. Open to keys too. */
  readonly inUse: (options?: CallOptions) => Promise<PlainApiKey | null>
  /** The same with its organisation as it is now; null where the organisation is not to be found. */
  readonly accessInUse: (options?: CallOptions) => Promise<PlainApiKeyAccess | null>
}

/**
 * Everything one caller can do, all of it within the caller's organisation.
 *
 * @category models
 * @since 0.1.0
 */
export interface SolarSitesForCaller {
  readonly sites: SitePromises
  readonly portfolios: PortfolioPromises
  readonly documents: DocumentPromises
  readonly apiKeys: ApiKeyPromises
}
