/**
 * Writes events of the in-memory adapters.
 */
import {
  type EventOrigin,
  eventAbout,
  type NewEvent,
  numberedEvents,
  type Organisation,
  organisationMembers
} from "@solar-sites/core"
import type { Owned } from "./MemoryDatabase.ts"

/** Appends the events of one step, in order. */
export const recordEvents = ({ events }: Owned, origin: EventOrigin, recorded: ReadonlyArray<NewEvent>): void => {
  const last = { sequence: events.last, occurredAt: events.kept.at(-1)?.occurredAt ?? null }
  for (const event of numberedEvents(recorded, origin, last)) events.kept.push(Object.freeze(event))
  events.last += recorded.length
}

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  subjectId: id,
  subjectName: name,
  siteId: null
})

export const organisationEvent = eventAbout<Organisation>(organisationMembers, named)
