/**
 * How Redis is reached. A request that finds it dead, frozen or slow must not
 * notice: ioredis' own defaults wait for seconds.
 *
 * @since 0.1.0
 */
import { Duration, type Redacted } from "effect"
import { type Redis as Client, Redis } from "ioredis"
import { addressIn } from "./RedisOptionCheck.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface RedisOptions {
  /** What all keys and the channel begin with, `solar:` unless told otherwise. Instances that share limits share it. */
  readonly prefix?: string
  /**
   * How long a request waits for Redis (default 40 ms, in steps of ten). More
   * than 100 ms breaks what `RateLimiter` promises.
   */
  readonly timeout?: Duration.Input
}

/**
 * Connections to be opened.
 *
 * @category models
 * @since 0.1.0
 */
export interface RedisLayerOptions extends RedisOptions {
  /** `redis://` or, with TLS, `rediss://`; as text or `Redacted`. */
  readonly url: string | Redacted.Redacted<string>
}

/**
 * Connections that the host has opened and will close. The subscriber is for
 * subscriptions alone; it may have others.
 *
 * @category models
 * @since 0.1.0
 */
export interface RedisClients {
  readonly commands: Client
  readonly subscriber: Client
}

export const settingsOf = ({ prefix = "solar:", timeout = "40 millis" }: RedisOptions) => ({
  prefix,
  timeoutMillis: Duration.toMillis(timeout)
})

/**
 * A client of our own. How long a request waits is not left to it: its timeouts
 * strike before what has arrived is read, so that a busy process would take a
 * quick Redis for a dead one. They are for what is left behind.
 */
export const openClient = (options: RedisLayerOptions): Client =>
  new Redis(addressIn(Object(options).url), {
    commandTimeout: 500,
    socketTimeout: 1_000,
    connectTimeout: 500,
    disconnectTimeout: 200,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // What it would subscribe to again by itself could fail with nobody to hear of it.
    autoResubscribe: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000)
  })
