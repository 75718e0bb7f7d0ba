/**
 * What a harness keeps: the memory of every port, with the clock, the ids and
 * the randomness that belong to it.
 */
import { IdGenerator, makeUuidV7, RandomBytes, RateLimiter, type SolarSitesServices } from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Metric, References, type Scope } from "effect"
import type { StorageClient } from "../conformance/StorageClient.ts"
import * as MemoryAdapters from "../memory/MemoryAdapters.ts"
import { type PortFaults, withFaults } from "./PortFaults.ts"
import { seededBytes } from "./SeededBytes.ts"
import { makeStandingClock, type StandingClock } from "./StandingClock.ts"

/** Lets everything through: where time stands, a limit that was reached once would hold for ever. */
const unlimited = RateLimiter.of({
  take: (bucket, { limit }) =>
    Effect.succeed({ bucket, allowed: true, remaining: limit, retryAfter: Duration.zero, resetAfter: Duration.zero })
})

export interface HarnessMemory {
  /** Every port, what plays uploads, and the clock: to build anything from. */
  readonly context: Context.Context<SolarSitesServices.SolarSitesPorts | StorageClient>
  readonly advance: StandingClock["advance"]
  readonly faults: PortFaults
}

/** Nothing of it is shared with any other harness. */
export const makeMemory = Effect.fnUntraced(function* (
  seed: string | number
): Effect.fn.Return<HarnessMemory, never, Scope.Scope> {
  const { advance, context: clock } = yield* makeStandingClock
  const surroundings = clock.pipe(
    Context.add(RandomBytes, seededBytes(seed)),
    Context.add(IdGenerator, makeUuidV7()),
    Context.add(Metric.MetricRegistry, new Map()),
    // A failure that a test asked for is no news; a bug is.
    Context.add(References.MinimumLogLevel, "Error")
  )
  const adapters = yield* Effect.provideContext(Layer.build(MemoryAdapters.layer), surroundings)
  const memory = Context.merge(surroundings, adapters).pipe(Context.add(RateLimiter, unlimited))
  const [context, faults] = withFaults(memory)
  return { advance, context, faults }
})
