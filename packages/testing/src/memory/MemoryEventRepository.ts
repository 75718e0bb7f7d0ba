/**
 * `EventRepository` in memory.
 *
 * @since 0.1.0
 */
import { allConditionsRead, EventRepository, eventTypesIn, MaximumPageBytes } from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, ownedBy, takePage } from "./MemoryDatabase.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<EventRepository, never, MemoryDatabase> = Layer.effect(
  EventRepository,
  Effect.map(MemoryDatabase, (database) =>
    EventRepository.of({
      list: (organisationId, conditions, { after, limit, order }) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const { actorId, from, siteId, subjectId, to, type, ...rest } = conditions
          allConditionsRead(rest)
          const types = type === undefined ? null : eventTypesIn(type)
          const { kept } = ownedBy(database, organisationId).events
          const apiKeyId = actorId?.toLowerCase()
          const matching = kept.filter(
            ({ actor, occurredAt, sequence, siteId: site, subject, type }) =>
              (after === null || (order === "asc" ? sequence > after : sequence < after)) &&
              (types === null || types.includes(type)) &&
              (subjectId === undefined || subject.id === subjectId) &&
              (siteId === undefined || site === siteId) &&
              (actorId === undefined || actor.userId === actorId || actor.apiKeyId === apiKeyId) &&
              (from === undefined || DateTime.isGreaterThanOrEqualTo(occurredAt, from)) &&
              (to === undefined || DateTime.isLessThan(occurredAt, to))
          )
          return takePage(order === "asc" ? matching : matching.reverse(), limit, bytes)
        }),
      purge: (organisationId, { before, limit }) =>
        Effect.sync(() => {
          const { kept } = ownedBy(database, organisationId).events
          const firstKept = kept.findIndex(({ occurredAt }) => DateTime.isGreaterThanOrEqualTo(occurredAt, before))
          return kept.splice(0, Math.min(limit, firstKept < 0 ? kept.length : firstKept)).length
        }),
      findOrganisations: ({ after, before, limit }) =>
        Effect.sync(() =>
          [...database]
            .filter(([id, { events }]) => {
              const oldest = events.kept[0]
              return (
                (after === null || id > after) && oldest !== undefined && DateTime.isLessThan(oldest.occurredAt, before)
              )
            })
            .map(([id]) => id)
            .sort()
            .slice(0, limit)
        ),
      deleteAll: (organisationId, { limit }) =>
        Effect.sync(() => {
          const { events } = ownedBy(database, organisationId)
          const removed = events.kept.splice(0, limit).length
          if (removed < limit) events.last = 0
          return removed
        })
    })
  )
)
