/**
 * Writes events of the in-memory adapters.
 */
import {
  changesBetween,
  type Document,
  documentMembers,
  Event,
  type EventOrigin,
  type EventType,
  eventIdAt,
  type Site,
  siteMembers,
  subjectTypeOf
} from "@solar-sites/core"
import { DateTime } from "effect"
import type { Owned } from "./MemoryDatabase.ts"

type RecordedEvent = Pick<Event, "type" | "siteId" | "changes"> & {
  readonly subjectId: string
  readonly subjectName: string | null
}

/** Appends the events of one step, in order. */
export const recordEvents = ({ events }: Owned, origin: EventOrigin, recorded: ReadonlyArray<RecordedEvent>): void => {
  const { actor, requestId } = origin
  for (const [index, { changes, siteId, subjectId, subjectName, type }] of recorded.entries()) {
    const previous = events.kept.at(-1)?.occurredAt ?? origin.occurredAt
    events.last += 1
    const event = new Event(
      {
        id: eventIdAt(origin, index + 1),
        sequence: events.last,
        type,
        occurredAt: DateTime.max(previous, origin.occurredAt),
        actor,
        subject: { type: subjectTypeOf(type), id: subjectId, name: subjectName },
        siteId,
        changes,
        requestId
      },
      { disableChecks: true }
    )
    events.kept.push(Object.freeze(event))
  }
}

/** An event about a change of a site; null is the state before creation or after deletion. */
export const siteEvent = (type: EventType, before: Site | null, after: Site | null): RecordedEvent => {
  const site = after ?? before
  if (site === null) throw new TypeError("no state of the site")
  const changes = changesBetween<Site>(siteMembers, before, after)
  return { type, subjectId: site.id, subjectName: site.siteName, siteId: site.id, changes }
}

/** An event about a change of a document; as for `siteEvent`. */
export const documentEvent = (type: EventType, before: Document | null, after: Document | null): RecordedEvent => {
  const document = after ?? before
  if (document === null) throw new TypeError("no state of the document")
  const changes = changesBetween<Document>(documentMembers, before, after)
  return { type, subjectId: document.id, subjectName: document.filename, siteId: document.siteId, changes }
}
