/**
 * A subscription that stands whenever Redis can be reached, and says when it did
 * not. Subscribing is repeated every second: it does no harm, and shows that a
 * connection which looks alive still is.
 */
import { Effect, Exit, Queue } from "effect"
import type { Redis } from "ioredis"
import { answerOf } from "./RedisCircuit.ts"

const interval = "1 second"
const patience = 500

export const subscription = Effect.fnUntraced(function* (
  subscriber: Redis,
  channel: string,
  {
    onGap,
    onMessage
  }: {
    /** Messages may have been missed: said when the subscription breaks, and when it stands again. */
    readonly onGap: () => void
    readonly onMessage: (text: string) => void
  }
) {
  const wake = yield* Queue.sliding<true>(1)
  // Breaks are counted, so that an answer from before one is not taken for the state after it.
  let breaks = 0
  let standsSince = -1

  const broken = () => {
    const stood = standsSince === breaks
    breaks += 1
    if (stood) onGap()
  }

  const subscribe = Effect.gen(function* () {
    const before = breaks
    const exit = yield* Effect.exit(answerOf(subscriber, patience, (client) => client.subscribe(channel)))
    if (Exit.isFailure(exit)) {
      if (before === breaks) broken()
    } else if (before === breaks && standsSince !== breaks) {
      standsSince = breaks
      onGap()
    }
  })

  const onReady = () => Queue.offerUnsafe(wake, true)
  const onAnyMessage = (of: string, text: string) => {
    if (of === channel) onMessage(text)
  }

  yield* Effect.acquireRelease(
    Effect.sync(() => subscriber.on("close", broken).on("ready", onReady).on("message", onAnyMessage)),
    () => {
      subscriber.off("close", broken).off("ready", onReady).off("message", onAnyMessage)
      return Effect.exit(answerOf(subscriber, patience, (client) => client.unsubscribe(channel)))
    }
  )

  yield* subscribe
  yield* Queue.take(wake).pipe(
    Effect.timeoutOption(interval),
    Effect.andThen(subscribe),
    Effect.forever,
    Effect.forkScoped
  )
})
