/**
 * Events as lines to read: one per upload, and one for what a person did to several documents of a
 * site, or to several sites, on a day.
 */
import type { Event } from "@solar-sites/http-node/client"
import { countOf, isOfService } from "./phrases.ts"

export interface Entry {
  /** The newest one. */
  readonly event: Event
  /** All of the line, newest first. */
  readonly events: ReadonlyArray<Event>
}

const isRequest = ({ type }: Event): boolean => type === "document.requested" || type === "document.reissued"

/**
 * The arrival of a file is an event of the service. With the request before it, it becomes an upload
 * by the person who has requested it.
 */
const withUploads = (events: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const arrived = new Map<string, number>()
  const shown: Array<Event> = []
  for (const event of events) {
    const at = arrived.get(event.subject.id)
    const arrival = at === undefined ? undefined : shown[at]
    if (event.type === "document.uploaded") arrived.set(event.subject.id, shown.length)
    if (at === undefined || !isRequest(event)) {
      shown.push(event)
      continue
    }
    if (arrival !== undefined && isOfService(arrival)) shown[at] = { ...arrival, actor: event.actor }
  }
  return shown
}

const keyOf = (event: Event): string => {
  const { actor, id, siteId, type } = event
  if (countOf(event, 2) === undefined) return id
  return JSON.stringify([type, actor.userId, actor.apiKeyId, type.startsWith("document.") ? siteId : null])
}

/** Entries of one day, newest first. */
const entriesOf = (events: ReadonlyArray<Event>): ReadonlyArray<Entry> =>
  [...Map.groupBy(withUploads(events), keyOf).values()].flatMap((group) => {
    const [event] = group
    return event === undefined ? [] : [{ event, events: group }]
  })

/** Days with their entries, newest first, at most this number of entries. */
export const daysOf = (
  events: ReadonlyArray<Event>,
  dayOf: (event: Event) => string,
  most = Number.POSITIVE_INFINITY
): ReadonlyArray<{ readonly day: string; readonly entries: ReadonlyArray<Entry> }> => {
  let left = most
  return [...Map.groupBy(events, dayOf)].flatMap(([day, ofDay]) => {
    const entries = entriesOf(ofDay).slice(0, left)
    left -= entries.length
    return entries.length === 0 ? [] : [{ day, entries }]
  })
}
