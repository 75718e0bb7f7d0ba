/**
 * `AccessChanges` by publish and subscribe on one channel. Messages are lost while
 * the subscriber is disconnected, so listeners receive "everything" when the
 * subscription breaks and when it is restored.
 */
import { type AccessChange, AccessChanges, IdGenerator } from "@solar-sites/core"
import { Effect, Exit, Layer, Option, Queue } from "effect"
import { decodeChange, encodeChange } from "./AccessMessage.ts"
import { withTimeout } from "./RedisCircuit.ts"
import { RedisConnection } from "./RedisConnection.ts"
import { subscription } from "./RedisSubscription.ts"

const publishTimeoutMillis = 100
const retryInterval = "1 second"

export const layerAccessChanges: Layer.Layer<AccessChanges, never, RedisConnection> = Layer.effect(
  AccessChanges,
  Effect.gen(function* () {
    const { commands, prefix, subscriber } = yield* RedisConnection
    const local = yield* AccessChanges
    const self = yield* yield* IdGenerator
    const channel = `${prefix}access-changes`

    const received = yield* Queue.unbounded<AccessChange>()
    yield* Queue.take(received).pipe(
      Effect.flatMap(local.publish),
      Effect.catchCause((cause) => Effect.logError("access change listener failed", cause)),
      Effect.forever,
      Effect.forkScoped
    )

    yield* subscription(subscriber, channel, {
      onMessage: (text) => Option.map(decodeChange(self, text), (change) => Queue.offerUnsafe(received, change)),
      onGap: () => Queue.offerUnsafe(received, "everything")
    })

    // A failed publish is retried as "everything": other instances then empty their caches.
    const failedPublish = yield* Queue.sliding<true>(1)
    const send = (change: AccessChange) =>
      Effect.exit(
        withTimeout(commands, publishTimeoutMillis, (client) => client.publish(channel, encodeChange(self, change)))
      )

    yield* Queue.take(failedPublish).pipe(
      Effect.andThen(Effect.sleep(retryInterval)),
      Effect.andThen(send("everything")),
      Effect.tap((exit) => (Exit.isFailure(exit) ? Queue.offer(failedPublish, true) : Effect.void)),
      Effect.forever,
      Effect.forkScoped
    )

    return AccessChanges.of({
      listen: local.listen,
      publish: (change) =>
        local.publish(change).pipe(
          Effect.andThen(send(change)),
          Effect.tap((exit) => (Exit.isFailure(exit) ? Queue.offer(failedPublish, true) : Effect.void)),
          Effect.asVoid,
          Effect.uninterruptible
        )
    })
  })
).pipe(Layer.provide(Layer.fresh(AccessChanges.layerInProcess)))
