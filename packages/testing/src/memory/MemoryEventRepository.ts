/** `EventRepository` in memory. */
import {
  EventRepository,
  eventsWithin,
  MaximumPageBytes,
  type OrganisationId,
  pageOfEvents,
  reachParts,
  siteKind
} from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, recordsOf } from "./MemoryDatabase.ts"

export const layer: Layer.Layer<EventRepository, never, MemoryDatabase> = Layer.effect(
  EventRepository,
  Effect.map(MemoryDatabase, (database) => {
    const keptOf = (organisationId: OrganisationId) => database.get(organisationId)?.events.kept ?? []

    return EventRepository.of({
      list: (reach, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const { organisationId } = reachParts(reach)
          const sites = recordsOf(database.get(organisationId), siteKind).values()
          return pageOfEvents(eventsWithin(reach, keptOf(organisationId), sites), conditions, page, bytes)
        }),
      purge: (organisationId, { before, limit }) =>
        Effect.sync(() => {
          const kept = keptOf(organisationId)
          const firstKept = kept.findIndex(({ occurredAt }) => DateTime.isGreaterThanOrEqualTo(occurredAt, before))
          return kept.splice(0, Math.min(limit, firstKept < 0 ? kept.length : firstKept)).length
        }),
      findOrganisations: ({ after, before, limit }) =>
        Effect.sync(() => {
          const isOld = (id: OrganisationId) =>
            keptOf(id)
              .slice(0, 1)
              .some(({ occurredAt }) => DateTime.isLessThan(occurredAt, before))
          const found = [...database.keys()].filter((id) => (after === null || id > after) && isOld(id))
          return found.sort().slice(0, limit)
        }),
      deleteAll: (organisationId, { limit }) =>
        Effect.sync(() => {
          const removed = keptOf(organisationId).splice(0, limit).length
          const owner = database.get(organisationId)
          if (owner !== undefined && removed < limit) owner.events.last = 0
          return removed
        })
    })
  })
)
