/**
 * What needs attention at the sites of an organisation, and its order (specification, section 16).
 */

import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { Document, DocumentId, DocumentType } from "../documents/Document.ts"
import type { CalendarDate } from "../input/CalendarDate.ts"
import { foldText } from "../input/FoldedText.ts"
import { compareTexts } from "../lists/ItemPages.ts"
import type { SiteId } from "../sites/Site.ts"
import { stateOf } from "./CoveragePages.ts"
import type { DocumentRequirement } from "./Requirement.ts"
import { expiringDays } from "./RequirementPolicy.ts"
import type { CoverageState } from "./SiteCoverage.ts"

/** States in the order in which a portfolio lists them. */
const expiryStates = ["expired", "expiring", "missing"] as const satisfies ReadonlyArray<CoverageState>
export type ExpiryState = (typeof expiryStates)[number]

/**
 * A required document that is expired, expiring or missing, or a document without a requirement that is expired or
 * expiring. `portfolioId` and `portfolioName` are those of the site.
 */
export interface ExpiryItem {
  readonly siteId: SiteId
  readonly siteName: string
  readonly portfolioId: PortfolioId | null
  readonly portfolioName: string | null
  readonly documentType: DocumentType | null
  readonly state: ExpiryState
  readonly documentId: DocumentId | null
  readonly validUntil: CalendarDate | null
}

/** `rest` is the number of items that follow the page. */
export interface ExpiryPage {
  readonly items: ReadonlyArray<ExpiryItem>
  readonly rest: number
}

export const isExpiryState = (state: CoverageState): state is ExpiryState =>
  expiryStates.some((known) => known === state)

/** True if a requirement of all sites or of this portfolio names the type. */
export const isRequired = (
  requirements: ReadonlyArray<DocumentRequirement>,
  documentType: DocumentType | null,
  portfolioId: PortfolioId | null
): boolean =>
  requirements.some(
    (one) => one.documentType === documentType && (one.portfolioId === null || one.portfolioId === portfolioId)
  )

/** State of a current document without a requirement: the default days before its last day it is expiring. */
export const stateWithoutRequirement = (document: Document, asOf: CalendarDate): CoverageState =>
  stateOf(document, { validityRequired: false, expiringWithinDays: expiringDays.default }, asOf)

/** An item with its folded names, by which it is sorted. */
interface Placed {
  readonly item: ExpiryItem
  readonly portfolio: string | null
  readonly site: string
}

const placed = (item: ExpiryItem): Placed => ({
  item,
  portfolio: item.portfolioName === null ? null : foldText(item.portfolioName),
  site: foldText(item.siteName)
})

/** Null is greater than all texts. */
const compareNullable = (a: string | null, b: string | null): number => {
  if (a === b) return 0
  return a === null || b === null ? Number(a === null) - Number(b === null) : compareTexts(a, b)
}

const compareWithin = (a: Placed, b: Placed): number =>
  expiryStates.indexOf(a.item.state) - expiryStates.indexOf(b.item.state) ||
  compareNullable(a.item.validUntil, b.item.validUntil) ||
  compareTexts(a.site, b.site) ||
  compareTexts(a.item.siteId, b.item.siteId) ||
  compareNullable(a.item.documentType, b.item.documentType) ||
  compareNullable(a.item.documentId, b.item.documentId)

/** Portfolios by name, sites without one last. */
const compareByPortfolio = (a: Placed, b: Placed): number =>
  compareNullable(a.portfolio, b.portfolio) ||
  compareNullable(a.item.portfolioId, b.item.portfolioId) ||
  compareWithin(a, b)

/** What has expired in any portfolio comes first. */
const compareItems = (a: Placed, b: Placed): number =>
  Number(b.item.state === "expired") - Number(a.item.state === "expired") || compareByPortfolio(a, b)

/** The first items behind `after`, at most `limit`. `count` is the number of all items behind it. */
export interface ExpirySelection {
  readonly after: Placed | null
  readonly limit: number
  readonly kept: ReadonlyArray<Placed>
  readonly count: number
}

/** A selection from no items yet. */
export const selectionAfter = (after: ExpiryItem | null, limit: number): ExpirySelection => ({
  after: after === null ? null : placed(after),
  limit,
  kept: [],
  count: 0
})

/** The selection from further items, in any order. */
export const withItems = (selection: ExpirySelection, items: ReadonlyArray<ExpiryItem>): ExpirySelection => {
  const { after, count, kept, limit } = selection
  const behind = items.map(placed).filter((one) => after === null || compareItems(after, one) < 0)
  const last = kept.length < limit ? undefined : kept.at(-1)
  const better = last === undefined ? behind : behind.filter((one) => compareItems(one, last) < 0)
  const sorted = better.length === 0 ? kept : [...kept, ...better].sort(compareItems).slice(0, limit)
  return { ...selection, kept: sorted, count: count + behind.length }
}

export const pageOfSelection = ({ count, kept }: ExpirySelection): ExpiryPage => ({
  items: kept.map(({ item }) => item),
  rest: count - kept.length
})

/** Items of the sites of one portfolio, or of those without one. */
export interface ExpirySection extends Pick<ExpiryItem, "portfolioId" | "portfolioName"> {
  readonly items: ReadonlyArray<ExpiryItem>
}

/** Groups items by portfolio. Within each, expired ones are first, then expiring, then missing ones. */
export const expirySections = (items: ReadonlyArray<ExpiryItem>): ReadonlyArray<ExpirySection> => {
  const sorted = items.map(placed).sort(compareByPortfolio)
  return [...Map.groupBy(sorted, ({ item }) => item.portfolioId)].map(([portfolioId, group]) => ({
    portfolioId,
    portfolioName: group[0]?.item.portfolioName ?? null,
    items: group.map(({ item }) => item)
  }))
}
