/**
 * Rule service for the feed of events.
 */
import { Context, Effect, Layer } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { decodeCursor, encodeCursor } from "../lists/Cursor.ts"
import { type List, maximumPageSize, type Page } from "../lists/Page.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { Event, ListEvents } from "./Event.ts"
import { eventOperations } from "./EventOperations.ts"
import { EventRepository } from "./EventRepository.ts"

// A cursor holds a UUID, so a sequence takes its place in the form of one.
const uuidOf = (sequence: number): string => `00000000-0000-0000-0000-${sequence.toString(16).padStart(12, "0")}`
const sequenceOf = (uuid: string): number => Number.parseInt(uuid.slice(-12), 16)

export class Events extends Context.Service<
  Events,
  Guarded<{
    /**
     * Ascending by sequence, or descending; complete without `limit`. In ascending order with
     * `limit`, `nextCursor` is never null: at the end it is the place from which to go on later.
     */
    readonly list: (query?: ListEvents) => Effect.Effect<List<Event>, ValidationFailed | RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/Events") {
  /** Requires an `EventRepository` of the application. */
  static readonly layer: Layer.Layer<Events, never, EventRepository> = Layer.effect(
    Events,
    Effect.map(EventRepository, (repository) => {
      const list = fnWithSpan("Events.list")(function* ({
        cursor,
        limit,
        order = "asc",
        type = [],
        ...others
      }: ListEvents = {}) {
        const { organisationId } = yield* CurrentCaller
        const conditions = type.length === 0 ? others : { type, ...others }
        const start = yield* decodeCursor("events", cursor)
        let after = start === null ? null : sequenceOf(start)
        const fetch = (limit: number) => repository.list(organisationId, conditions, { after, limit, order })
        const lastOf = ({ items }: Page<Event>) => items.at(-1)?.sequence ?? after

        if (limit !== undefined) {
          const page = yield* fetch(limit)
          const last = lastOf(page)
          const isOpen = order === "asc" || page.hasMore
          const nextCursor = isOpen ? encodeCursor("events", uuidOf(last ?? 0)) : null
          return { data: page.items, nextCursor }
        }
        const data: Array<Event> = []
        while (true) {
          const page = yield* fetch(maximumPageSize)
          for (const event of page.items) data.push(event)
          after = lastOf(page)
          if (!page.hasMore) return { data, nextCursor: null }
        }
      })

      return Events.of(guarded(eventOperations, { list }))
    })
  )
}
