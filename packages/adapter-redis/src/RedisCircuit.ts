/**
 * Asks Redis while it answers. After the first failure nothing is asked any
 * more, but for a try of its own from time to time, so that at most the requests
 * of one moment have waited for it.
 */
import { Effect, Exit, Latch, Option } from "effect"
import type { Redis } from "ioredis"
import type { RedisConnection } from "./RedisConnection.ts"

type Send<A> = (client: Redis) => Promise<A>

const tryAgainAfter = "250 millis"

/**
 * Fails after so many milliseconds, counted in steps of ten. One long timer would go off as soon as a busy
 * process comes to itself, before it has read what arrived in the meantime.
 */
const impatience = (patience: number) =>
  Effect.sleep("10 millis").pipe(
    Effect.repeat({ times: Math.ceil(patience / 10) - 1 }),
    Effect.andThen(Effect.fail("no answer in time"))
  )

/**
 * What Redis answers; fails with a sentence. An error of the client holds the
 * command it is about, a password among its arguments: only its text is kept.
 */
export const answerOf = <A>(client: Redis, patience: number, send: Send<A>): Effect.Effect<A, string> =>
  Effect.suspend(() =>
    client.status === "ready"
      ? Effect.raceFirst(
          Effect.tryPromise({
            try: () => send(client),
            catch: (error) => (error instanceof Error ? error.message : "failed")
          }),
          impatience(patience)
        )
      : Effect.fail("not connected")
  )

/**
 * `probe` is what is asked while the circuit is open. It must be like what is
 * asked else: a replica answers a ping and refuses a write.
 */
export const makeCircuit = Effect.fnUntraced(function* (
  { commands: client, lastError, timeoutMillis: patience }: RedisConnection["Service"],
  probe: Send<unknown>
) {
  // Open while Redis does not answer: the one state, so that no change of it can be half done.
  const lost = yield* Latch.make(false)

  const lose = (reason: string) =>
    Effect.flatMap(lost.open, (isNew) =>
      isNew
        ? Effect.logWarning("Redis does not answer: this process counts for itself").pipe(
            Effect.annotateLogs({ reason, lastError: lastError() ?? null })
          )
        : Effect.void
    )

  const regain = Effect.andThen(lost.close, Effect.logInfo("Redis answers again: limits are shared"))

  yield* lost.await.pipe(
    Effect.andThen(Effect.sleep(tryAgainAfter)),
    Effect.andThen(Effect.exit(answerOf(client, patience, probe))),
    Effect.tap((exit) => (Exit.isSuccess(exit) ? regain : Effect.void)),
    Effect.forever,
    Effect.forkScoped
  )

  if (client.status !== "ready") yield* lose("not connected")

  /** The answer, or none when there was none in time. */
  const ask = <A>(send: Send<A>): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() =>
      lost.isOpen()
        ? Effect.succeedNone
        : Effect.matchEffect(answerOf(client, patience, send), {
            onFailure: (reason) => Effect.as(lose(reason), Option.none()),
            onSuccess: (answer) => Effect.succeedSome(answer)
          })
    )

  return { ask }
})
