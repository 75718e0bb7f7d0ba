/**
 * A subscription that is restored after each reconnection and reports gaps.
 * Subscribing is repeated every second: it is idempotent and detects a frozen
 * connection.
 */
import { Effect, Exit, Queue } from "effect"
import type { Redis } from "ioredis"
import { withTimeout } from "./RedisCircuit.ts"

const interval = "1 second"
const subscribeTimeoutMillis = 500

export const subscription = Effect.fnUntraced(function* (
  subscriber: Redis,
  channel: string,
  {
    onGap,
    onMessage
  }: {
    /**
     * Called when the subscription breaks and when it is restored: messages may have been missed.
     */
    readonly onGap: () => void
    readonly onMessage: (text: string) => void
  }
) {
  const wake = yield* Queue.sliding<true>(1)
  // Breaks are counted, so that an answer to an earlier attempt is not taken for the current state.
  let breaks = 0
  let subscribedAt = -1

  const broken = () => {
    const stood = subscribedAt === breaks
    breaks += 1
    if (stood) onGap()
  }

  const subscribe = Effect.gen(function* () {
    const before = breaks
    const exit = yield* Effect.exit(
      withTimeout(subscriber, subscribeTimeoutMillis, (client) => client.subscribe(channel))
    )
    if (Exit.isFailure(exit)) {
      if (before === breaks) broken()
    } else if (before === breaks && subscribedAt !== breaks) {
      subscribedAt = breaks
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
      return Effect.exit(withTimeout(subscriber, subscribeTimeoutMillis, (client) => client.unsubscribe(channel)))
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
