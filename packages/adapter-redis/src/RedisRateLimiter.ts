/**
 * `RateLimiter` with shared buckets. While Redis does not answer, each instance counts by itself.
 */
import { type RateBucket, type RateDecision, RateLimiter } from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Metric, Option } from "effect"
import type { Redis } from "ioredis"
import { rateScript } from "./RateScript.ts"
import { makeCircuit } from "./RedisCircuit.ts"
import { RedisConnection } from "./RedisConnection.ts"
import { RedisStatus } from "./RedisStatus.ts"

const fallbacks = Metric.counter("solar_sites_rate_limiter_fallbacks", {
  description: "Decisions taken in process because Redis did not answer",
  incremental: true
})

const decisionOf = (buckets: ReadonlyArray<RateBucket>, answer: unknown): RateDecision => {
  const numbers = Array.isArray(answer) ? answer.map(Number) : []
  const [index = 0, allowed = 0, remaining = 0, retryAfter = 0, resetAfter = 0] = numbers
  return {
    bucket: buckets[index]?.bucket ?? "",
    allowed: allowed === 1,
    remaining,
    retryAfter: Duration.millis(retryAfter),
    resetAfter: Duration.millis(resetAfter)
  }
}

/** Bucket of the probe; its limit is never reached. */
const probeBucket: RateBucket = { bucket: "probe", quota: { limit: 1_000, window: Duration.seconds(1) } }

export const layerRateLimiter: Layer.Layer<RateLimiter | RedisStatus, never, RedisConnection> = Layer.effectContext(
  Effect.gen(function* () {
    const connection = yield* RedisConnection
    const local = yield* RateLimiter

    // EVAL with the text: EVALSHA needs a second command when Redis has lost the script.
    const takeFrom = (kind: string, buckets: ReadonlyArray<RateBucket>) => {
      const keys = buckets.map(({ bucket }) => `${connection.prefix}${kind}${bucket}`)
      const quotas = buckets.flatMap(({ quota }) => [quota.limit, Duration.toMillis(quota.window)])
      return (client: Redis) => client.eval(rateScript, keys.length, ...keys, ...quotas)
    }

    const probe = takeFrom("", [probeBucket])
    const circuit = yield* makeCircuit(connection, probe)
    const status = RedisStatus.of({ isUp: Effect.map(circuit.ask(probe), Option.isSome) })

    const limiter = RateLimiter.of({
      take: (bucket, quota, within) => {
        const buckets = [{ bucket, quota }, ...(within === undefined ? [] : [within])]
        return Effect.flatMap(circuit.ask(takeFrom("rate:", buckets)), (answer) =>
          Option.isSome(answer)
            ? Effect.succeed(decisionOf(buckets, answer.value))
            : Effect.andThen(Metric.update(fallbacks, 1), local.take(bucket, quota, within))
        )
      }
    })
    return Context.make(RateLimiter, limiter).pipe(Context.add(RedisStatus, status))
  })
).pipe(Layer.provide(Layer.fresh(RateLimiter.layerInProcess)))
