/**
 * What a contestant does to the tables. Everything is done within the
 * organisation that comes first.
 */
import type { Caller, KeyRecord } from "./keys.ts"
import type { Me, NewDocument, PortfolioWithSites, Site, SiteMembers } from "./model.ts"
import type { SiteQuery } from "./pages.ts"

export interface NewSite extends SiteMembers {
  readonly id: string
  readonly at: Date
}

/** The documents of one upload request; their addresses lapse at `expiresAt`. */
interface UploadRecords {
  readonly siteId: string
  readonly uploadedBy: string | null
  readonly documents: ReadonlyArray<NewDocument>
  readonly at: Date
  readonly expiresAt: Date
}

export interface Store {
  readonly findKey: (digest: Buffer) => Promise<KeyRecord | undefined>
  readonly me: (caller: Caller) => Promise<Me>
  /** One more than the limit, if there are as many. */
  readonly listSites: (organisationId: string, query: SiteQuery) => Promise<ReadonlyArray<Site>>
  readonly findSite: (organisationId: string, id: string) => Promise<Site | undefined>
  /** Refuses an unknown portfolio, as `updateSite` does. */
  readonly insertSite: (organisationId: string, site: NewSite) => Promise<Site>
  /** Values that are stored already change nothing, the version included. Refuses an unknown site first. */
  readonly updateSite: (organisationId: string, id: string, changes: Partial<SiteMembers>, at: Date) => Promise<Site>
  readonly listWithSites: (organisationId: string) => Promise<ReadonlyArray<PortfolioWithSites>>
  /** Refuses an unknown site. */
  readonly insertDocuments: (organisationId: string, records: UploadRecords) => Promise<void>
  readonly close: () => Promise<unknown>
}
