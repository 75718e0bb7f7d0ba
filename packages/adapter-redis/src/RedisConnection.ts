/**
 * The connections for commands and for subscriptions. Opened connections are closed
 * with the scope; connections of the host stay open.
 */
import { Context, Effect, Layer } from "effect"
import type { Redis } from "ioredis"
import { checkClients, checkOptions } from "./RedisOptionCheck.ts"
import { openClient, type RedisClients, type RedisLayerOptions, type RedisOptions, settingsOf } from "./RedisOptions.ts"

/** The layer waits this long for the connections; they may be established later. */
const startTimeout = "1 second"
const closeTimeout = "500 millis"

const isDown = ({ status }: Redis) => status === "end" || status === "close" || status === "reconnecting"

/** Waits for one of the events, without a timeout. */
const nextOf = (client: Redis, ...events: ReadonlyArray<"ready" | "close" | "end">) =>
  Effect.callback<void>((resume) => {
    const leave = () => {
      for (const event of events) client.off(event, onEvent)
    }
    const onEvent = () => {
      leave()
      resume(Effect.void)
    }
    for (const event of events) client.on(event, onEvent)
    return Effect.sync(leave)
  })

/** Waits until the client is connected or its connection attempt has failed. */
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
    return Effect.timeoutOption(ended, closeTimeout)
  })

interface ObservedClient {
  readonly client: Redis
  /**
   * Message of the last error. The error itself is dropped: it holds the command, which can
   * contain a password.
   */
  readonly lastError: () => string | undefined
  readonly leave: () => void
}

/** ioredis prints every error that has no listener. */
const observe = (client: Redis): ObservedClient => {
  let text: string | undefined
  const listener = ({ message }: Error) => {
    text = message
  }
  client.on("error", listener)
  return { client, lastError: () => text, leave: () => client.off("error", listener) }
}

const opened = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => observe(openClient(url))),
    ({ client }) => close(client)
  )

const borrowed = (client: Redis) =>
  Effect.acquireRelease(
    Effect.sync(() => observe(client)),
    ({ leave }) => Effect.sync(leave)
  )

const prepared = (commands: ObservedClient, subscriber: ObservedClient, options: RedisOptions) =>
  Effect.all([settled(commands.client), settled(subscriber.client)], { concurrency: "unbounded" }).pipe(
    Effect.timeoutOption(startTimeout),
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
    /** Message of the last error of the connection for commands. */
    readonly lastError: () => string | undefined
  }
>()("@solar-sites/adapter-redis/RedisConnection") {
  static readonly layer = (options: RedisLayerOptions): Layer.Layer<RedisConnection> => {
    const url = checkOptions(options)
    return Layer.effect(
      RedisConnection,
      Effect.gen(function* () {
        return yield* prepared(yield* opened(url), yield* opened(url), options)
      })
    )
  }

  static readonly layerFrom = (clients: RedisClients, options: RedisOptions = {}): Layer.Layer<RedisConnection> => {
    checkClients(clients, options)
    return Layer.effect(
      RedisConnection,
      Effect.gen(function* () {
        return yield* prepared(yield* borrowed(clients.commands), yield* borrowed(clients.subscriber), options)
      })
    )
  }
}
