/**
 * What the tests against Redis have in common.
 */
import { randomUUID } from "node:crypto"
import { layer } from "@solar-sites/adapter-redis"
import { AccessChanges, RateLimiter, type RateQuota } from "@solar-sites/core"
import { Context, Duration, Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { inject } from "vitest"
import { type RedisServer, startRedis } from "./RedisServer.ts"

const { installed, url } = inject("redis")
export const withoutRedis = url === null
export const withoutProgram = !installed
export const sharedUrl = url ?? "redis://127.0.0.1:1"

/** Keys and a channel that no other test uses. */
export const aPrefix = (): string => `test:${randomUUID()}:`

export const optionsFor = (address: string, prefix = aPrefix()) => ({ url: Redacted.make(address), prefix })

/** For tests of what is counted, which a busy machine must not turn into tests of what happens without Redis. */
export const patientFor = (address: string, prefix?: string) =>
  ({ ...optionsFor(address, prefix), timeout: "500 millis" }) as const

/** A server that the test may kill and freeze, for as long as it lasts. */
export const ownServer = (port?: number): Effect.Effect<RedisServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startRedis(port)),
    ({ stop, thaw }) =>
      Effect.promise(() => {
        thaw()
        return stop()
      })
  )

export interface Instance {
  readonly take: RateLimiter["Service"]["take"]
  readonly publish: AccessChanges["Service"]["publish"]
  readonly listen: AccessChanges["Service"]["listen"]
  readonly changes: AccessChanges["Service"]
  /** What it has logged, one text per line. */
  readonly lines: ReadonlyArray<string>
  readonly close: Effect.Effect<void>
}

/** An instance of the server as far as Redis is concerned. */
export const instance = Effect.fnUntraced(function* (
  ports: Layer.Layer<RateLimiter | AccessChanges>
): Effect.fn.Return<Instance, never, Scope.Scope> {
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  const scope = yield* Scope.fork(yield* Scope.Scope)
  const context = yield* Layer.buildWithScope(Layer.provide(ports, logger), scope)
  const changes = Context.get(context, AccessChanges)
  const { take } = Context.get(context, RateLimiter)
  return {
    take: (bucket, quota) => Effect.provide(take(bucket, quota), logger),
    publish: changes.publish,
    listen: changes.listen,
    changes,
    lines,
    close: Scope.close(scope, Exit.void)
  }
})

export const patientOn = (address: string, prefix?: string) => instance(layer(patientFor(address, prefix)))

export const instanceOn = (address: string, prefix?: string) => instance(layer(optionsFor(address, prefix)))

export const perHour = (limit: number): RateQuota => ({ limit, window: Duration.hours(1) })

/** Asks again until it holds. */
export const until = Effect.fnUntraced(function* (
  what: string,
  holds: Effect.Effect<boolean>,
  patienceMillis = 15_000
) {
  const deadline = performance.now() + patienceMillis
  while (!(yield* holds)) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about within ${patienceMillis} ms`)
    yield* Effect.sleep("5 millis")
  }
})

/**
 * Dies when the effect takes longer. Counted in steps of ten milliseconds, so
 * that a machine that is busy elsewhere counts for little.
 */
export const within = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    effect,
    Effect.sleep("10 millis").pipe(
      Effect.repeat({ times: millis / 10 - 1 }),
      Effect.andThen(Effect.die(new Error(`took longer than ${millis} ms`)))
    )
  )
