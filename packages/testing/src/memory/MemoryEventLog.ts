/**
 * Writes events of the in-memory adapters.
 */
import {
  type Document,
  documentMembers,
  Event,
  type EventOrigin,
  eventAbout,
  eventIdAt,
  type Organisation,
  organisationMembers,
  subjectTypeOf
} from "@solar-sites/core"
import { DateTime } from "effect"
import type { Owned } from "./MemoryDatabase.ts"

type RecordedEvent = Pick<Event, "type" | "siteId" | "changes"> & {
  readonly subjectId: string
  readonly subjectName: string | null
}

/** The instants of events do not descend, unless a clock was ahead by more than an hour. */
const notBefore = (previous: DateTime.Utc | undefined, at: DateTime.Utc): DateTime.Utc =>
  previous === undefined || DateTime.isGreaterThanOrEqualTo(previous, DateTime.add(at, { hours: 1 }))
    ? at
    : DateTime.max(previous, at)

/** Appends the events of one step, in order. */
export const recordEvents = ({ events }: Owned, origin: EventOrigin, recorded: ReadonlyArray<RecordedEvent>): void => {
  const { actor, requestId } = origin
  for (const [index, { changes, siteId, subjectId, subjectName, type }] of recorded.entries()) {
    events.last += 1
    const event = new Event(
      {
        id: eventIdAt(origin, index + 1),
        sequence: events.last,
        type,
        occurredAt: notBefore(events.kept.at(-1)?.occurredAt, origin.occurredAt),
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

export const documentEvent = eventAbout<Document>(documentMembers, ({ filename, id, siteId }) => ({
  subjectId: id,
  subjectName: filename,
  siteId
}))

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  subjectId: id,
  subjectName: name,
  siteId: null
})

export const organisationEvent = eventAbout<Organisation>(organisationMembers, named)
