/**
 * Coverage of required documents: per site, and counted over sites (specification, section 11).
 */
import { Schema } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { DocumentId, DocumentType } from "../documents/Document.ts"
import { CalendarDate } from "../input/CalendarDate.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { SiteId } from "../sites/Site.ts"

/**
 * State of one requirement at one site, on the day asked for. `pending`: nothing is current, and an
 * upload is pending. `expiring`: valid for at most `expiringWithinDays` more days. A document
 * without the `validUntil` that its requirement demands counts as `missing`.
 */
export const CoverageState = Schema.Literals(["missing", "pending", "valid", "expiring", "expired", "not_yet_valid"])
export type CoverageState = typeof CoverageState.Type

/**
 * `documentId` and `validUntil` are those of the document that counts: the best current one, or
 * without any the best pending one.
 */
export const CoverageItem = Schema.Struct({
  documentType: DocumentType,
  state: CoverageState,
  documentId: Schema.NullOr(DocumentId),
  validUntil: Schema.NullOr(CalendarDate)
})
export type CoverageItem = typeof CoverageItem.Type

/**
 * The items of a site, in the order of the requirements. `complete` when each is `valid` or
 * `expiring`, and for a site without requirements.
 */
export const SiteCoverage = Schema.Struct({
  siteId: SiteId,
  siteName: Schema.String,
  portfolioId: Schema.NullOr(PortfolioId),
  complete: Schema.Boolean,
  items: Schema.Array(CoverageItem)
})
export type SiteCoverage = typeof SiteCoverage.Type

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/**
 * Numbers of sites: in each state of each required document type, in the order of the requirements.
 * `asOf` is the day asked for.
 */
export const CoverageSummary = Schema.Struct({
  asOf: CalendarDate,
  siteCount: count,
  completeCount: count,
  documentTypes: Schema.Array(
    Schema.Struct({
      documentType: DocumentType,
      missing: count,
      pending: count,
      valid: count,
      expiring: count,
      expired: count,
      not_yet_valid: count
    })
  )
})
export type CoverageSummary = typeof CoverageSummary.Type

/**
 * Query of the coverage of sites; all conditions must hold, those of `state` and `documentType` for
 * one item. `asOf` is today (UTC) by default.
 */
export const ListCoverage = Schema.Struct({
  portfolioId: Schema.optionalKey(PortfolioId),
  siteId: Schema.optionalKey(SiteId),
  state: Schema.optionalKey(CoverageState),
  documentType: Schema.optionalKey(DocumentType),
  asOf: Schema.optionalKey(CalendarDate),
  ...paging("coverage", maximumPageSize)
})
export type ListCoverage = typeof ListCoverage.Type

/** Query of the summary. `asOf` is today (UTC) by default. */
export const SummariseCoverage = Schema.Struct({
  portfolioId: Schema.optionalKey(PortfolioId),
  asOf: Schema.optionalKey(CalendarDate)
})
export type SummariseCoverage = typeof SummariseCoverage.Type
