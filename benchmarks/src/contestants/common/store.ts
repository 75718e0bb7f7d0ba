/**
 * Statements of a contestant, each within the organisation that is its first argument.
 */
import type { Caller, KeyRecord } from "./keys.ts"
import type { Me, NewDocument, PortfolioWithSites, Site, SiteMembers } from "./model.ts"
import type { SiteQuery } from "./pages.ts"

export type NewSite<Members extends SiteMembers = SiteMembers> = Members & { readonly id: string; readonly at: Date }

/** Documents of one upload request; their addresses expire at `expiresAt`. */
interface UploadRecords {
  readonly siteId: string
  readonly uploadedBy: string | null
  readonly documents: ReadonlyArray<NewDocument>
  readonly at: Date
  readonly expiresAt: Date
}

export interface Store<Members extends SiteMembers = SiteMembers> {
  readonly findKey: (digest: Buffer) => Promise<KeyRecord | undefined>
  readonly me: (caller: Caller) => Promise<Me>
  /** At most one more than the limit. */
  readonly listSites: (organisationId: string, query: SiteQuery) => Promise<ReadonlyArray<Site<Members>>>
  readonly findSite: (organisationId: string, id: string) => Promise<Site<Members> | undefined>
  /** Refuses an unknown portfolio. */
  readonly insertSite: (organisationId: string, site: NewSite<Members>) => Promise<Site<Members>>
  /**
   * Values that are stored already change nothing, the version included. Refuses an unknown site
   * before an unknown portfolio.
   */
  readonly updateSite: (
    organisationId: string,
    id: string,
    changes: Partial<Members>,
    at: Date
  ) => Promise<Site<Members>>
  readonly listWithSites: (organisationId: string) => Promise<ReadonlyArray<PortfolioWithSites<Members>>>
  /** Refuses an unknown site. */
  readonly insertDocuments: (organisationId: string, records: UploadRecords) => Promise<void>
  readonly close: () => Promise<unknown>
}
