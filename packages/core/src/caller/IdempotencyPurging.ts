/**
 * Removes idempotency keys that have expired, also those of organisations that
 * send no requests any more, and keeps the answers of each organisation within a
 * budget.
 *
 * @since 0.1.0
 */
import { DateTime, Duration, Effect, Layer, Schedule } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"

const interval = Duration.minutes(1)
const organisationsAtATime = 1_000
const claimsAtATime = 1_000

/** The budget of an organisation: 64 MiB of answers. */
const maximumBytes = 64 * 1_024 * 1_024

/** Purges every minute until the layer is closed. May run in every instance at once. */
export const layerBackground: Layer.Layer<never, never, IdempotencyStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { findOrganisations, purge } = yield* IdempotencyStore

    const purgeAll = Effect.gen(function* () {
      let after: OrganisationId | null = null
      while (true) {
        const found: ReadonlyArray<OrganisationId> = yield* findOrganisations({ after, limit: organisationsAtATime })
        for (const organisationId of found) {
          const now = yield* DateTime.now
          yield* purge(organisationId, { now, limit: claimsAtATime, maximumBytes }).pipe(
            Effect.repeat({ while: (removed) => removed === claimsAtATime })
          )
        }
        after = found.at(-1) ?? null
        if (found.length < organisationsAtATime) return
      }
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("idempotency keys could not be purged", cause)))

    yield* purgeAll.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
  })
)
