/**
 * Current documents near or behind the end of their validity, before an event has announced it.
 */

import type { PortfolioId } from "../caller/PortfolioId.ts"
import { type CalendarDate, daysAfter } from "../input/CalendarDate.ts"
import { takePage } from "../lists/ItemPages.ts"
import type { Page } from "../lists/Page.ts"
import type { SiteId } from "../sites/Site.ts"
import type { DocumentType } from "./Document.ts"
import type { DocumentRecord } from "./DocumentKind.ts"
import { isCurrent } from "./DocumentStates.ts"

/** What decides whether an event is due. `portfolioId` is that of the site. */
export interface EndingDocument extends Pick<DocumentRecord, "id" | "documentType" | "validFrom"> {
  readonly portfolioId: PortfolioId | null
  readonly validUntil: CalendarDate
}

/**
 * A document is ending when it is current, and its last day is before `today` and was not announced as expired,
 * or is from `today` to `until` and was not announced as expiring. `untilOf` has another day in place of `until` for
 * some document types. The last day was announced when the member for the event has that day.
 */
export interface EndingConditions {
  readonly today: CalendarDate
  readonly until: CalendarDate
  readonly untilOf: { readonly [Type in DocumentType]?: CalendarDate }
}

/** The last day and the id of an ending document. */
export type EndingPosition = Pick<EndingDocument, "validUntil" | "id">

/** At most `limit` documents behind a position. */
export interface EndingPageRequest {
  readonly after: EndingPosition | null
  readonly limit: number
}

/** True when the document is ending. */
export const isEnding = (document: DocumentRecord, { today, until, untilOf }: EndingConditions): boolean => {
  const { documentType, expiredAnnounced, expiringAnnounced, validUntil } = document
  if (validUntil === null || !isCurrent(document)) return false
  if (validUntil < today) return validUntil !== expiredAnnounced
  const last = documentType === null ? until : (untilOf[documentType] ?? until)
  return validUntil <= last && validUntil !== expiringAnnounced
}

const comparePositions = (a: EndingPosition, b: EndingPosition): number =>
  a.validUntil === b.validUntil ? (a.id < b.id ? -1 : Number(a.id > b.id)) : a.validUntil < b.validUntil ? -1 : 1

/** `DocumentMaintenance.listEnding` over the given documents. `portfolioOf` is the portfolio of a site. */
export const pageOfEnding = (
  documents: Iterable<DocumentRecord>,
  conditions: EndingConditions,
  { after, limit }: EndingPageRequest,
  portfolioOf: (siteId: SiteId) => PortfolioId | null
): Page<EndingDocument> => {
  const ending = [...documents].flatMap((document): ReadonlyArray<EndingDocument> => {
    const { documentType, id, siteId, validFrom, validUntil } = document
    if (validUntil === null || !isEnding(document, conditions)) return []
    return [{ id, documentType, portfolioId: portfolioOf(siteId), validFrom, validUntil }]
  })
  const behind = ending.filter((one) => after === null || comparePositions(after, one) < 0)
  return takePage(behind.toSorted(comparePositions), limit)
}

/**
 * Whether `DocumentMaintenance.findEnding` finds the organisation with these documents. `days` are the
 * `expiringWithinDays` of its requirements.
 */
export const hasEnding = (
  documents: Iterable<DocumentRecord>,
  days: Iterable<number>,
  { notice, today }: { readonly today: CalendarDate; readonly notice: number }
): boolean => {
  const until = daysAfter(today, Math.max(notice, ...days))
  for (const document of documents) if (isEnding(document, { today, until, untilOf: {} })) return true
  return false
}
