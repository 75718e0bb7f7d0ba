/**
 * The rule of events about the end of validity as a pure function (specification, section 16).
 */
import { type DateTime, Result } from "effect"
import type { DocumentId } from "../documents/Document.ts"
import { documentEvent, documentKind, withMembers } from "../documents/DocumentKind.ts"
import { type EndingConditions, type EndingDocument, isEnding } from "../documents/EndingDocuments.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import { type CalendarDate, dayOf, daysAfter } from "../input/CalendarDate.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Decision } from "../records/Deciding.ts"
import type { Found } from "../records/Found.ts"
import type { Find } from "../records/RecordKind.ts"
import { siteKind } from "../sites/SiteKind.ts"
import type { DocumentRequirement } from "./Requirement.ts"
import { requirementKind } from "./RequirementKind.ts"
import { expiringDays } from "./RequirementPolicy.ts"
import { findsOfList, foundList } from "./RequirementRules.ts"

type Requirements = ReadonlyArray<DocumentRequirement>

export type Announcement = "document.expiring" | "document.expired"

/**
 * Days before its last day from which on a document is expiring: those of the requirement of the portfolio for
 * its type, else of the one of all sites, else the default.
 */
const noticeOf = (requirements: Requirements, { documentType, portfolioId }: EndingDocument): number => {
  const ofType = requirements.filter((one) => one.documentType === documentType)
  const own = ofType.find((one) => one.portfolioId !== null && one.portfolioId === portfolioId)
  return (own ?? ofType.find((one) => one.portfolioId === null))?.expiringWithinDays ?? expiringDays.default
}

/** The documents that can be due on a day: those within the longest notice for their type. */
export const endingOn = (today: CalendarDate, requirements: Requirements): EndingConditions => {
  const ofType = Map.groupBy(requirements, ({ documentType }) => documentType)
  const untilOf = Array.from(ofType, ([documentType, all]) => {
    const days = all.map(({ expiringWithinDays }) => expiringWithinDays)
    // Without an entry for all sites, those outside of the portfolios have the default.
    if (all.every(({ portfolioId }) => portfolioId !== null)) days.push(expiringDays.default)
    return [documentType, daysAfter(today, Math.max(...days))]
  })
  return { today, until: daysAfter(today, expiringDays.default), untilOf: Object.fromEntries(untilOf) }
}

/** The event that is due about an ending document on a day. */
export const announcementOf = (
  document: EndingDocument,
  requirements: Requirements,
  today: CalendarDate
): Announcement | null => {
  const { validFrom, validUntil } = document
  if (validUntil < today) return "document.expired"
  if (validFrom !== null && validFrom > today) return null
  return validUntil <= daysAfter(today, noticeOf(requirements, document)) ? "document.expiring" : null
}

/** Documents of which some may be due. */
export interface Announcing {
  readonly organisationId: OrganisationId
  readonly documentIds: ReadonlyArray<DocumentId>
  readonly at: DateTime.Utc
}

/** The records that `announceDocuments` reads. */
export const findsOfAnnouncing = ({ documentIds, organisationId }: Announcing): ReadonlyArray<Find> => {
  const documents = { kind: documentKind, by: "id", values: documentIds }
  return [
    documents,
    { kind: siteKind, by: "id", values: { of: documents, member: "siteId" } },
    ...findsOfList(organisationId)
  ]
}

/** Writes the events that are due, and stores that they were written. Versions stay. Answers the events. */
export const announceDocuments =
  ({ at, documentIds, organisationId }: Announcing, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<ReadonlyArray<Announcement>>> => {
    const today = dayOf(at)
    const { requirements } = foundList(found, organisationId)
    const conditions = endingOn(today, requirements)
    const due = documentIds.flatMap((id) => {
      const before = found.byId(documentKind, id)
      if (before === null) return []
      const { documentType, siteId, validFrom, validUntil } = before.record
      if (validUntil === null || !isEnding(before.record, conditions)) return []
      const portfolioId = found.byId(siteKind, siteId)?.record.portfolioId ?? null
      const type = announcementOf({ id, documentType, portfolioId, validFrom, validUntil }, requirements, today)
      if (type === null) return []
      const isExpired = type === "document.expired"
      // The last day can come again on a server with a slower clock: what has expired is expiring no more.
      const announced = { expiringAnnounced: validUntil, ...(isExpired && { expiredAnnounced: validUntil }) }
      const after = withMembers(before.record, announced)
      const event = documentEvent(type, before.record, after, { validUntil: { from: validUntil, to: validUntil } })
      return [{ type, event, write: { kind: documentKind, id, before, after } }]
    })
    const answer = due.map(({ type }) => type)
    if (due.length === 0) return Result.succeed({ answer, change: null })
    const written = new Set<string>(due.map(({ write }) => write.id))
    const change = {
      writes: due.map(({ write }) => write),
      events: due.map(({ event }) => event),
      // No document depends on another one, and the revision of the list shows every change of an entry.
      mayChange: [
        ...documentIds.filter((id) => !written.has(id)),
        ...found.all(requirementKind, "listId", organisationId).map(({ record }) => record.id)
      ],
      origin,
      at
    }
    return Result.succeed({ answer, change })
  }
