/**
 * The two connections, and what becomes of them: opened ones are closed with the
 * scope, those of the host are left as they were.
 */
import { Context, Effect, Layer } from "effect"
import type { Redis } from "ioredis"
import { openClient, type RedisClients, type RedisLayerOptions, type RedisOptions, settingsOf } from "./RedisOptions.ts"

/** Whoever is connected within this time is so from the first request on; the others join later. */
const startPatience = "1 second"
const closePatience = "500 millis"

const isDown = ({ status }: Redis) => status === "end" || status === "close" || status === "reconnecting"

/** Waits until one of the events; for good if none comes. */
const nextOf = (client: Redis, ...events: ReadonlyArray<"ready" | "close" | "end">) =>
  Effect.callback<void>((resume) => {
    const leave = () => {
      for (const event of events) client.off(event, heard)
    }
    const heard = () => {
      leave()
      resume(Effect.void)
    }
    for (const event of events) client.on(event, heard)
    return Effect.sync(leave)
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

interface Attended {
  readonly client: Redis
  /** Only the text of an error is kept: the error holds the command it is about, a password among its arguments. */
  readonly lastError: () => string | undefined
  readonly leave: () => void
}

/** An `error` without a listener would be printed, each time. */
const attend = (client: Redis): Attended => {
  let text: string | undefined
  const listener = ({ message }: Error) => {
    text = message
  }
  client.on("error", listener)
  return { client, lastError: () => text, leave: () => client.off("error", listener) }
}

const opened = (options: RedisLayerOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => attend(openClient(options))),
    ({ client }) => close(client)
  )

const borrowed = (client: Redis) =>
  Effect.acquireRelease(
    Effect.sync(() => attend(client)),
    ({ leave }) => Effect.sync(leave)
  )

const prepared = (commands: Attended, subscriber: Attended, options: RedisOptions) =>
  Effect.all([settled(commands.client), settled(subscriber.client)], { concurrency: "unbounded" }).pipe(
    Effect.timeoutOption(startPatience),
    Effect.as({
      commands: commands.client,
      subscriber: subscriber.client,
      ...settingsOf(options),
      lastError: commands.lastError
    })
  )

export class RedisConnection extends Context.Service<
  RedisConnection,
  RedisClients & {
    readonly prefix: string
    readonly timeoutMillis: number
    /** What was last wrong with the connection for commands. */
    readonly lastError: () => string | undefined
  }
>()("@solar-sites/adapter-redis/RedisConnection") {
  static readonly layer = (options: RedisLayerOptions): Layer.Layer<RedisConnection> =>
    Layer.effect(
      RedisConnection,
      Effect.gen(function* () {
        return yield* prepared(yield* opened(options), yield* opened(options), options)
      })
    )

  static readonly layerFrom = (clients: RedisClients, options: RedisOptions = {}): Layer.Layer<RedisConnection> =>
    Layer.effect(
      RedisConnection,
      Effect.gen(function* () {
        return yield* prepared(yield* borrowed(clients.commands), yield* borrowed(clients.subscriber), options)
      })
    )
}
