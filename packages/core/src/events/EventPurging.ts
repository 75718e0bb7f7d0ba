/**
 * Removes events after their retention time.
 */
import { Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { EventRepository } from "./EventRepository.ts"

/** How long events are kept. Default: 400 days. */
export const EventRetention = Context.Reference<Duration.Duration>("@solar-sites/core/EventRetention", {
  defaultValue: () => Duration.days(400)
})

const interval = Duration.minutes(10)
const organisationsAtATime = 1_000
const eventsAtATime = 1_000

/** Purges every ten minutes until the layer is closed. Safe to run in several instances. */
export const layerBackground: Layer.Layer<never, never, EventRepository> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { findOrganisations, purge } = yield* EventRepository
    const retention = yield* EventRetention

    const purgeAll = Effect.gen(function* () {
      const before = DateTime.subtractDuration(yield* DateTime.now, retention)
      let after: OrganisationId | null = null
      while (true) {
        const page = { before, after, limit: organisationsAtATime }
        const found: ReadonlyArray<OrganisationId> = yield* findOrganisations(page)
        for (const organisationId of found) {
          yield* purge(organisationId, { before, limit: eventsAtATime }).pipe(
            Effect.repeat({ while: (removed) => removed === eventsAtATime })
          )
        }
        after = found.at(-1) ?? null
        if (found.length < organisationsAtATime) return
      }
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("purge of events failed", cause)))

    yield* purgeAll.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
  })
)
