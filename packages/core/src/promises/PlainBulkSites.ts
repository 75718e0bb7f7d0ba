/**
 * The JSON form of bulk operations on sites.
 *
 * @since 0.1.0
 */
import type { BulkSites, BulkSitesResult } from "../sites/BulkSites.ts"

/**
 * 1–1,000 sites.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainBulkSites = typeof BulkSites.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainBulkSitesResult = typeof BulkSitesResult.Encoded
