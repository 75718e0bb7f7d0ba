/**
 * Statements of a contestant, each within one organisation. Each change is stored with its event. The
 * sequence of the event is taken under the lock of the row in `event_sequence` (docs/decisions/0027).
 */
import type { Origin } from "./events.ts"
import type { Caller, KeyRecord } from "./keys.ts"
import type { Me, NewDocument, PortfolioWithSites, Site, SiteMembers } from "./model.ts"
import type { SiteQuery } from "./pages.ts"

type NewSite<Members extends SiteMembers = SiteMembers> = Members & { readonly id: string }

/** Documents of one upload request; their addresses expire at `expiresAt`. */
export interface UploadRecords {
  readonly siteId: string
  readonly documents: ReadonlyArray<NewDocument>
  readonly expiresAt: Date
}

export interface Store<Members extends SiteMembers = SiteMembers> {
  readonly findKey: (digest: Buffer) => Promise<KeyRecord | undefined>
  readonly me: (caller: Caller) => Promise<Me>
  /** At most one more than the limit. */
  readonly listSites: (organisationId: string, query: SiteQuery) => Promise<ReadonlyArray<Site<Members>>>
  readonly findSite: (organisationId: string, id: string) => Promise<Site<Members> | undefined>
  /** Refuses an unknown portfolio, and an external id that another site has. */
  readonly insertSite: (origin: Origin, site: NewSite<Members>) => Promise<Site<Members>>
  /**
   * Values that are stored already change nothing, the version included. Refuses an unknown site
   * before an unknown portfolio, and an external id that another site has.
   */
  readonly updateSite: (origin: Origin, id: string, changes: Partial<Members>) => Promise<Site<Members>>
  readonly listWithSites: (organisationId: string) => Promise<ReadonlyArray<PortfolioWithSites<Members>>>
  /** Refuses an unknown site, and more pending documents than an organisation can have. */
  readonly insertDocuments: (origin: Origin, records: UploadRecords) => Promise<void>
  readonly close: () => Promise<unknown>
}
