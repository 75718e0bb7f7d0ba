/**
 * `EventRepository` in memory.
 *
 * @since 0.1.0
 */
import { EventRepository, MaximumPageBytes, pageOfEvents } from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, ownedBy } from "./MemoryDatabase.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<EventRepository, never, MemoryDatabase> = Layer.effect(
  EventRepository,
  Effect.map(MemoryDatabase, (database) =>
    EventRepository.of({
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) =>
          pageOfEvents(ownedBy(database, organisationId).events.kept, conditions, page, bytes)
        ),
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
