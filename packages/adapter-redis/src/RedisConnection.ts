/**
 * The two connections, and what becomes of them: opened ones are closed with the
 * scope, those of the host are left as they were.
 */
import { Context, Effect, Layer } from "effect"
import type { Redis } from "ioredis"
import {
  defaultPrefix,
  openCommands,
  openSubscriber,
  type RedisClients,
  type RedisLayerOptions,
  type RedisOptions
} from "./RedisOptions.ts"

/** Whoever is connected within this time is so from the first request on; the others join later. */
const startPatience = "1 second"
const closePatience = "500 millis"

const isDown = ({ status }: Redis) => status === "end" || status === "close" || status === "reconnecting"

/** Waits until one of the events; for good if none comes. */
const nextOf = (client: Redis, ...events: ReadonlyArray<"ready" | "close" | "end">) =>
  Effect.callback<void>((resume) => {
    const heard = () => resume(Effect.void)
    for (const event of events) client.once(event, heard)
    return Effect.sync(() => {
      for (const event of events) client.off(event, heard)
    })
  })

/** Connected, or known not to be. */
const settled = (client: Redis) =>
  Effect.suspend(() => {
    if (client.status === "ready" || isDown(client)) return Effect.void
    if (client.status === "wait") client.connect().catch(() => {})
    return nextOf(client, "ready", "close", "end")
  })

const close = (client: Redis) =>
  Effect.suspend(() => {
    const ended = isDown(client) ? Effect.void : nextOf(client, "end")
    client.disconnect()
    return Effect.timeoutOption(ended, closePatience)
  })

/** An `error` without a listener is printed; what it comes to is told by the state of the connection. */
const unattended = () => {}

const opened = (open: () => Redis) =>
  Effect.acquireRelease(
    Effect.sync(() => open().on("error", unattended)),
    close
  )

const borrowed = (client: Redis) =>
  Effect.acquireRelease(
    Effect.sync(() => client.on("error", unattended)),
    () => Effect.sync(() => client.off("error", unattended))
  )

export class RedisConnection extends Context.Service<RedisConnection, RedisClients & { readonly prefix: string }>()(
  "@solar-sites/adapter-redis/RedisConnection"
) {
  static readonly layer = (options: RedisLayerOptions): Layer.Layer<RedisConnection> =>
    Layer.effect(
      RedisConnection,
      Effect.gen(function* () {
        const commands = yield* opened(() => openCommands(options))
        const subscriber = yield* opened(() => openSubscriber(options))
        return yield* prepared({ commands, subscriber }, options)
      })
    )

  static readonly layerFrom = (clients: RedisClients, options: RedisOptions = {}): Layer.Layer<RedisConnection> =>
    Layer.effect(
      RedisConnection,
      Effect.gen(function* () {
        yield* borrowed(clients.commands)
        yield* borrowed(clients.subscriber)
        return yield* prepared(clients, options)
      })
    )
}

const prepared = (clients: RedisClients, { prefix = defaultPrefix }: RedisOptions) =>
  Effect.all([settled(clients.commands), settled(clients.subscriber)], { concurrency: "unbounded" }).pipe(
    Effect.timeoutOption(startPatience),
    Effect.as({ ...clients, prefix })
  )
