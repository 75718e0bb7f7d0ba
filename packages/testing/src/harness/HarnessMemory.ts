/**
 * State of a harness: in-memory ports with their own clock, ids and randomness.
 */
import {
  IdGenerator,
  makeUuidV7,
  RandomBytes,
  RateLimiter,
  type SolarSitesServices,
  WebhookSender,
  WebhookWorkerStart
} from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Metric, Random, References, type Scope } from "effect"
import type { StorageClient } from "../conformance/StorageClient.ts"
import * as MemoryAdapters from "../memory/MemoryAdapters.ts"
import { type HarnessClock, makeHarnessClock } from "./HarnessClock.ts"
import { type HarnessWebhooks, makeHarnessWebhooks } from "./HarnessWebhooks.ts"
import { type PortFaults, withFaults } from "./PortFaults.ts"

/** Allows everything: with a clock that stands still, an exhausted limit would never recover. */
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
  /** All ports, the client of the storage, and the clock. */
  readonly context: Context.Context<SolarSitesServices.SolarSitesPorts | StorageClient | WebhookSender>
  readonly advance: HarnessClock["advance"]
  readonly faults: PortFaults
  readonly webhooks: HarnessWebhooks
}

/** Creates state that no other harness shares. */
export const makeMemory = Effect.fnUntraced(function* (
  seed: string | number
): Effect.fn.Return<HarnessMemory, never, Scope.Scope> {
  const { advance, context: clock } = yield* makeHarnessClock
  const surroundings = clock.pipe(
    Context.add(RandomBytes, seededBytes(seed)),
    Context.add(IdGenerator, makeUuidV7()),
    Context.add(Metric.MetricRegistry, new Map()),
    // Failures requested by a test are not logged; bugs are.
    Context.add(References.MinimumLogLevel, "Error")
  )
  const adapters = yield* Effect.provideContext(Layer.build(MemoryAdapters.layer), surroundings)
  const { firstWebhook, sender, webhooks } = makeHarnessWebhooks()
  const memory = Context.merge(surroundings, adapters).pipe(
    Context.add(RateLimiter, unlimited),
    Context.add(WebhookSender, sender),
    Context.add(WebhookWorkerStart, firstWebhook)
  )
  const [context, faults] = withFaults(memory)
  return { advance, context, faults, webhooks }
})
