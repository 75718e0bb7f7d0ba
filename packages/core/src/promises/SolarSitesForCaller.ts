/**
 * The promises of the library, without Effect. Inputs are decoded as over HTTP, with the same
 * faults; a member that is `undefined` is absent.
 */

import type { CallOptions } from "../caller/CallOptions.ts"
import type { DocumentOperations, PlainIssuedUploads, PlainIssueHostUploads } from "../documents/DocumentOperations.ts"
import type { List } from "../lists/Page.ts"
import type { SolarSitesOperations } from "../Operations.ts"
import type { RemovedContents } from "../operators/OrganisationContents.ts"
import type {
  PlainListPortfoliosWithSites,
  PlainPortfolioPart,
  PortfolioOperations
} from "../portfolios/PortfolioOperations.ts"
import type {
  PlainApiKey,
  PlainApiKeyAccess,
  PlainCreateApiKey,
  PlainCreateOrganisation,
  PlainIssuedApiKey,
  PlainListApiKeys,
  PlainOrganisation,
  PlainUpdateOrganisation
} from "./PlainModels.ts"

/** The operations of an operator; they have no caller. */
export interface OrganisationOperations {
  /** Creates an active organisation. */
  readonly create: (organisation: PlainCreateOrganisation, options?: CallOptions) => Promise<PlainOrganisation>
  readonly get: (organisationId: string, options?: CallOptions) => Promise<PlainOrganisation>
  /** Oldest first; complete without `limit`. */
  readonly list: (
    query?: { readonly limit?: number; readonly cursor?: string },
    options?: CallOptions
  ) => Promise<List<PlainOrganisation>>
  /** Renames, activates or deactivates. The keys of an inactive organisation are refused. */
  readonly update: (
    organisationId: string,
    changes: PlainUpdateOrganisation,
    options?: CallOptions
  ) => Promise<PlainOrganisation>
  /**
   * Deletes the organisation with all its contents and returns their numbers. Its keys are refused
   * at once; stored files are deleted soon afterwards. An interrupted deletion can be repeated.
   */
  readonly delete: (organisationId: string, options?: CallOptions) => Promise<RemovedContents>
}

/**
 * API keys, for a caller without a key: a key can never manage keys. Durations are text such as
 * `90 days` or `12 hours`.
 */
export interface ApiKeyOperations {
  /** The key lives 365 days by default. */
  readonly create: (apiKey: PlainCreateApiKey, options?: CallOptions) => Promise<PlainIssuedApiKey>
  readonly get: (apiKeyId: string, options?: CallOptions) => Promise<PlainApiKey>
  /** Oldest first, expired keys included; complete without `limit`. */
  readonly list: (query?: PlainListApiKeys, options?: CallOptions) => Promise<List<PlainApiKey>>
  /** Returns the deleted key. It is refused here at once, on other instances within a second. */
  readonly delete: (apiKeyId: string, options?: CallOptions) => Promise<PlainApiKey>
  /** Creates a key of the same name. The old key lives for `overlap` (`24 hours` by default, `0 seconds` allowed). */
  readonly rotate: (
    apiKeyId: string,
    options?: CallOptions & { readonly overlap?: string | undefined }
  ) => Promise<PlainIssuedApiKey>
  /** The key of the caller, null without one. Open to callers with a key, too. */
  readonly inUse: (options?: CallOptions) => Promise<PlainApiKey | null>
  /** The key of the caller with its organisation as it is now; null if there is no such organisation. */
  readonly accessInUse: (options?: CallOptions) => Promise<PlainApiKeyAccess | null>
  /** The portfolios that the caller is limited to, without deleted ones; null without a limit. */
  readonly portfoliosInUse: (options?: CallOptions) => Promise<ReadonlyArray<string> | null>
}

export interface HostPortfolioOperations extends PortfolioOperations {
  /** `listWithSites` in parts, with bounded memory. Each iteration starts a new listing. */
  readonly streamWithSites: (
    query?: PlainListPortfoliosWithSites,
    options?: CallOptions
  ) => AsyncIterable<PlainPortfolioPart>
}

export interface HostDocumentOperations extends DocumentOperations {
  /** Issues addresses for 1–20 files of one site, reports included. A refused file has an error in its result. */
  readonly issueUploads: (uploads: PlainIssueHostUploads, options?: CallOptions) => Promise<PlainIssuedUploads>
}

/** All operations of one caller, within the caller's organisation. */
export interface SolarSitesForCaller extends SolarSitesOperations {
  readonly portfolios: HostPortfolioOperations
  readonly documents: HostDocumentOperations
  readonly apiKeys: ApiKeyOperations
}
