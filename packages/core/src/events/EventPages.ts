/**
 * The feed of events in memory, for adapters that read all events of an organisation.
 */
import { DateTime } from "effect"
import { takePage } from "../lists/ItemPages.ts"
import { allConditionsRead, type Page } from "../lists/Page.ts"
import type { Event, EventConditions } from "./Event.ts"
import type { EventPageRequest } from "./EventRepository.ts"
import { eventTypesIn } from "./EventType.ts"

/** `EventRepository.list` over the given events, which ascend by sequence. */
export const pageOfEvents = (
  events: Iterable<Event>,
  { actorId, from, siteId, subjectId, to, type, ...rest }: EventConditions,
  { after, limit, order }: EventPageRequest,
  maximumBytes: number
): Page<Event> => {
  allConditionsRead(rest)
  const types = type === undefined ? null : eventTypesIn(type)
  const apiKeyId = actorId?.toLowerCase()
  const matching = [...events].filter(
    ({ actor, occurredAt, sequence, siteId: site, subject, type }) =>
      (after === null || (order === "asc" ? sequence > after : sequence < after)) &&
      (types === null || types.includes(type)) &&
      (subjectId === undefined || subject.id === subjectId) &&
      (siteId === undefined || site === siteId) &&
      (actorId === undefined || actor.userId === actorId || actor.apiKeyId === apiKeyId) &&
      (from === undefined || DateTime.isGreaterThanOrEqualTo(occurredAt, from)) &&
      (to === undefined || DateTime.isLessThan(occurredAt, to))
  )
  return takePage(order === "asc" ? matching : matching.reverse(), limit, maximumBytes)
}
