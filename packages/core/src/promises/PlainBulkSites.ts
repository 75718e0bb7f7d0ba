/** The JSON form of bulk operations on sites. */
import type { BulkSites, BulkSitesResult } from "../sites/BulkSites.ts"

/** 1–1,000 sites. */
export type PlainBulkSites = typeof BulkSites.Encoded

export type PlainBulkSitesResult = typeof BulkSitesResult.Encoded
