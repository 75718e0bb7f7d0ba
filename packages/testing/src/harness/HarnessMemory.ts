/**
 * What a harness keeps: the memory of every port, with the clock, the ids and
 * the randomness that belong to it.
 */
import { IdGenerator, makeUuidV7, RandomBytes, RateLimiter, type SolarSitesServices } from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Metric, Random, References, type Scope } from "effect"
import type { StorageClient } from "../conformance/StorageClient.ts"
import * as MemoryAdapters from "../memory/MemoryAdapters.ts"
import { type HarnessClock, makeHarnessClock } from "./HarnessClock.ts"
import { type PortFaults, withFaults } from "./PortFaults.ts"

/** Lets everything through: where time stands, a limit that was reached once would hold for ever. */
const unlimited = RateLimiter.of({
  take: (bucket, { limit }) =>
    Effect.succeed({ bucket, allowed: true, remaining: limit, retryAfter: Duration.zero, resetAfter: Duration.zero })
})

/** Random bytes determined by the seed: a test creates the same ids and keys in every run. */
const seededBytes = (seed: string | number): ((length: number) => Uint8Array) => {
  const random = Effect.runSync(Random.withSeed(Random.Random, seed))
  return (length) => Uint8Array.from({ length }, () => random.nextIntUnsafe() & 0xff)
}

export interface HarnessMemory {
  /** Every port, what plays uploads, and the clock: to build anything from. */
  readonly context: Context.Context<SolarSitesServices.SolarSitesPorts | StorageClient>
  readonly advance: HarnessClock["advance"]
  readonly faults: PortFaults
}

/** Nothing of it is shared with any other harness. */
export const makeMemory = Effect.fnUntraced(function* (
  seed: string | number
): Effect.fn.Return<HarnessMemory, never, Scope.Scope> {
  const { advance, context: clock } = yield* makeHarnessClock
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
