/**
 * The feed of events in memory, for adapters that read all events of an organisation.
 */

import { DateTime, type Schema } from "effect"
import { isReached, type Reach, reachParts } from "../caller/Reach.ts"
import { takePage } from "../lists/ItemPages.ts"
import { allConditionsRead, type Page } from "../lists/Page.ts"
import { Event, type EventConditions } from "./Event.ts"
import type { EventPageRequest } from "./EventRepository.ts"
import { eventTypesIn } from "./EventType.ts"

/** The last portfolio of a deleted site, of the event about its deletion. */
const lastPortfolioOf = ({ changes }: Event): string | null => {
  const last = changes["portfolioId"]?.from
  return typeof last === "string" ? last : null
}

/**
 * The events within a reach, of all events of an organisation that are kept. `sites` are all its sites.
 */
export const eventsWithin = (
  reach: Reach,
  events: Iterable<Event>,
  sites: Iterable<{ readonly id: string; readonly portfolioId: string | null }>
): ReadonlyArray<Event> => {
  const parts = reachParts(reach)
  const all = [...events]
  if (parts.portfolioIds === null) return all
  const deleted = all.flatMap((event) =>
    event.type === "site.deleted" ? [[event.subject.id, lastPortfolioOf(event)] as const] : []
  )
  const portfolios = new Map<string, string | null>([
    ...deleted,
    ...Array.from(sites, ({ id, portfolioId }) => [id, portfolioId] as const)
  ])
  return all.filter(({ siteId, subject }) =>
    siteId === null
      ? subject.type === "portfolio" && isReached(parts, subject.id)
      : isReached(parts, portfolios.get(siteId) ?? null)
  )
}

/** The event without the ids of portfolios that are out of reach. */
export const eventWithin = (reach: Reach, event: Event): Event => {
  const moved = event.changes["portfolioId"]
  if (moved === undefined) return event
  const shown = (id: Schema.Json) => (typeof id === "string" && isReached(reachParts(reach), id) ? id : null)
  const portfolioId = { from: shown(moved.from), to: shown(moved.to) }
  return new Event({ ...event, changes: { ...event.changes, portfolioId } })
}

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
