/** Setup of the tests against Redis. */
import { randomUUID } from "node:crypto"
import { layer, layerFrom } from "@solar-sites/adapter-redis"
import { AccessChanges, RateLimiter, type RateQuota } from "@solar-sites/core"
import { Context, Duration, Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { Redis } from "ioredis"
import { inject } from "vitest"
import { activeTime } from "../../../scripts/activeTime.ts"
import { type RedisServer, startRedis } from "./RedisServer.ts"

const { installed, url } = inject("redis")
export const withoutRedis = url === null
export const withoutProgram = !installed
export const sharedUrl = url ?? "redis://127.0.0.1:1"

/** A unique prefix of keys and channel. */
export const aPrefix = (): string => `test:${randomUUID()}:`

export const optionsFor = (address: string, prefix = aPrefix()) => ({ url: Redacted.make(address), prefix })

/** The timeouts of clients that the adapter opens. */
export const patientFor = (address: string, prefix?: string) =>
  ({ ...optionsFor(address, prefix), timeout: "500 millis" }) as const

/** A server of the test, which may kill and freeze it. */
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
  /** Log lines. */
  readonly lines: ReadonlyArray<string>
  readonly close: Effect.Effect<void>
}

/** The Redis ports of one instance. */
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

/** Clients of a host with the defaults of ioredis, which wait for minutes. */
export const hostClients = Effect.gen(function* () {
  const client = Effect.acquireRelease(
    Effect.sync(() => new Redis(sharedUrl)),
    (redis) => Effect.sync(() => redis.disconnect())
  )
  return { commands: yield* client, subscriber: yield* client }
})

/** An instance with a long timeout, so that a busy machine does not open the circuit. */
export const patientInstance = Effect.fnUntraced(function* (prefix = aPrefix()) {
  return yield* instance(layerFrom(yield* hostClients, { prefix, timeout: "20 seconds" }))
})

export const instanceOn = (address: string, prefix?: string) => instance(layer(optionsFor(address, prefix)))

export const perHour = (limit: number): RateQuota => ({ limit, window: Duration.hours(1) })

/** Polls until the condition holds. */
export const until = Effect.fnUntraced(function* (
  what: string,
  holds: Effect.Effect<boolean>,
  patienceMillis = 100_000
) {
  using since = activeTime()
  while (!(yield* holds)) {
    if (since.millis() > patienceMillis) throw new Error(`${what} did not come about within ${patienceMillis} ms`)
    yield* Effect.sleep("5 millis")
  }
})

/** Dies if the effect takes longer. Counts steps of 10 ms, so that a busy machine matters less. */
export const within = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    effect,
    Effect.sleep("10 millis").pipe(
      Effect.repeat({ times: millis / 10 - 1 }),
      Effect.andThen(Effect.die(new Error(`took longer than ${millis} ms`)))
    )
  )
