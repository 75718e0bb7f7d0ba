/**
 * `AccessChanges` by publish and subscribe on one channel. A message is lost to
 * whoever is cut off when it is sent, so listeners are told "everything" when the
 * subscription breaks and once it stands again.
 *
 * @since 0.1.0
 */
import { type AccessChange, AccessChanges, IdGenerator } from "@solar-sites/core"
import { Effect, Exit, Layer, Option, Queue } from "effect"
import { decodeChange, encodeChange } from "./AccessMessage.ts"
import { answerOf } from "./RedisCircuit.ts"
import { RedisConnection } from "./RedisConnection.ts"
import { subscription } from "./RedisSubscription.ts"

/** In milliseconds; nobody waits for a publication but whoever changed an access. */
const patience = 100
const tryAgainAfter = "1 second"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerAccessChanges: Layer.Layer<AccessChanges, never, RedisConnection> = Layer.effect(
  AccessChanges,
  Effect.gen(function* () {
    const { commands, prefix, subscriber } = yield* RedisConnection
    const local = yield* AccessChanges
    const self = yield* yield* IdGenerator
    const channel = `${prefix}access-changes`

    const heard = yield* Queue.unbounded<AccessChange>()
    yield* Queue.take(heard).pipe(
      Effect.flatMap(local.publish),
      Effect.catchCause((cause) => Effect.logError("A listener to changes of access failed", cause)),
      Effect.forever,
      Effect.forkScoped
    )

    yield* subscription(subscriber, channel, {
      onMessage: (text) => Option.map(decodeChange(self, text), (change) => Queue.offerUnsafe(heard, change)),
      onGap: () => Queue.offerUnsafe(heard, "everything")
    })

    // What could not be said is made up for: the others, who may have heard nothing else, forget all they know.
    const unsaid = yield* Queue.sliding<true>(1)
    const send = (change: AccessChange) =>
      Effect.exit(answerOf(commands, patience, (client) => client.publish(channel, encodeChange(self, change))))

    yield* Queue.take(unsaid).pipe(
      Effect.andThen(Effect.sleep(tryAgainAfter)),
      Effect.andThen(send("everything")),
      Effect.tap((exit) => (Exit.isFailure(exit) ? Queue.offer(unsaid, true) : Effect.void)),
      Effect.forever,
      Effect.forkScoped
    )

    return AccessChanges.of({
      listen: local.listen,
      publish: (change) =>
        local.publish(change).pipe(
          Effect.andThen(send(change)),
          Effect.tap((exit) => (Exit.isFailure(exit) ? Queue.offer(unsaid, true) : Effect.void)),
          Effect.asVoid,
          Effect.uninterruptible
        )
    })
  })
).pipe(Layer.provide(Layer.fresh(AccessChanges.layerInProcess)))
