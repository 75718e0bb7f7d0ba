/**
 * Events of a commit, for adapters that number them in memory.
 */
import { DateTime } from "effect"
import { Event } from "../events/Event.ts"
import { type EventOrigin, eventIdAt } from "../events/EventOrigin.ts"
import { subjectTypeOf } from "../events/EventType.ts"
import { makeUnchecked } from "./MakeUnchecked.ts"
import type { NewEvent } from "./RecordKind.ts"

/** The instants of events do not descend, unless a clock was ahead by more than an hour. */
const notBefore = (previous: DateTime.Utc | null, at: DateTime.Utc): DateTime.Utc =>
  previous === null || DateTime.isGreaterThanOrEqualTo(previous, DateTime.add(at, { hours: 1 }))
    ? at
    : DateTime.max(previous, at)

/**
 * The events of one step, in order. `last` is the sequence of the last event of the organisation, 0 before the
 * first one, and its instant, null when it is no longer kept.
 */
export const numberedEvents = (
  events: ReadonlyArray<NewEvent>,
  origin: EventOrigin,
  last: { readonly sequence: number; readonly occurredAt: DateTime.Utc | null }
): ReadonlyArray<Event> => {
  const { actor, requestId } = origin
  const occurredAt = notBefore(last.occurredAt, origin.occurredAt)
  return events.map(({ changes, siteId, subjectId, subjectName, type }, index) =>
    makeUnchecked(Event, {
      id: eventIdAt(origin, index + 1),
      sequence: last.sequence + index + 1,
      type,
      occurredAt,
      actor,
      subject: { type: subjectTypeOf(type), id: subjectId, name: subjectName },
      siteId,
      changes,
      requestId
    })
  )
}
