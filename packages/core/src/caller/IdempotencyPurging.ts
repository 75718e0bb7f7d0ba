/**
 * Removes expired idempotency keys of all organisations and limits the stored answers per
 * organisation.
 */
import { DateTime, Duration, Effect, Layer, Schedule } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"

const interval = Duration.minutes(1)
const organisationsAtATime = 1_000
const claimsAtATime = 1_000

/** Stored answers per organisation: at most 64 MiB. */
const maximumBytes = 64 * 1_024 * 1_024

/** Purges every minute until the layer is closed. Safe to run in several instances. */
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
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("purge of idempotency keys failed", cause)))

    yield* purgeAll.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
  })
)
