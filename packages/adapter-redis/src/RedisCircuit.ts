/**
 * Circuit breaker: opens on the first failure and probes every 250 ms. While it is
 * open, no request waits for Redis.
 */
import { Effect, Exit, Latch, Option } from "effect"
import type { Redis } from "ioredis"
import type { RedisConnection } from "./RedisConnection.ts"

type Send<A> = (client: Redis) => Promise<A>

const probeInterval = "250 millis"

/**
 * Fails after `timeoutMillis`, counted in steps of 10 ms. After a stall of the process, one long timer
 * would fire before the answer that has arrived meanwhile is read.
 */
const timeoutAfter = (timeoutMillis: number) =>
  Effect.sleep("10 millis").pipe(
    Effect.repeat({ times: Math.ceil(timeoutMillis / 10) - 1 }),
    Effect.andThen(Effect.fail("no answer in time"))
  )

/**
 * The answer of Redis; fails with a message. Only the message of a client error is
 * kept: the error itself holds the command, which can contain a password.
 */
export const withTimeout = <A>(client: Redis, timeoutMillis: number, send: Send<A>): Effect.Effect<A, string> =>
  Effect.suspend(() =>
    client.status === "ready"
      ? Effect.raceFirst(
          Effect.tryPromise({
            try: () => send(client),
            catch: (error) => (error instanceof Error ? error.message : "failed")
          }),
          timeoutAfter(timeoutMillis)
        )
      : Effect.fail("not connected")
  )

/**
 * `probe` is sent while the circuit is open. It must be of the same kind as the
 * other commands: a replica answers a ping but refuses a write.
 */
export const makeCircuit = Effect.fnUntraced(function* (
  { commands: client, lastError, timeoutMillis }: RedisConnection["Service"],
  probe: Send<unknown>
) {
  // The latch is the only state: open while Redis does not answer.
  const lost = yield* Latch.make(false)

  const lose = (reason: string) =>
    Effect.flatMap(lost.open, (isNew) =>
      isNew
        ? Effect.logWarning("Redis does not answer; rate limits are counted in this process").pipe(
            Effect.annotateLogs({ reason, lastError: lastError() ?? null })
          )
        : Effect.void
    )

  const regain = Effect.andThen(lost.close, Effect.logInfo("Redis answers again; rate limits are shared"))

  yield* lost.await.pipe(
    Effect.andThen(Effect.sleep(probeInterval)),
    Effect.andThen(Effect.exit(withTimeout(client, timeoutMillis, probe))),
    Effect.tap((exit) => (Exit.isSuccess(exit) ? regain : Effect.void)),
    Effect.forever,
    Effect.forkScoped
  )

  if (client.status !== "ready") yield* lose("not connected")

  /** The answer, or none after a failure or timeout. */
  const ask = <A>(send: Send<A>): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() =>
      lost.isOpen()
        ? Effect.succeedNone
        : Effect.matchEffect(withTimeout(client, timeoutMillis, send), {
            onFailure: (reason) => Effect.as(lose(reason), Option.none()),
            onSuccess: (answer) => Effect.succeedSome(answer)
          })
    )

  return { ask }
})
