/**
 * How Redis is reached. A request that finds it dead, frozen or slow must not
 * notice: ioredis' own defaults wait for seconds.
 *
 * @since 0.1.0
 */

import { Duration, Redacted } from "effect"
import { type Redis as Client, type RedisOptions as ClientOptions, Redis } from "ioredis"

/**
 * @category models
 * @since 0.1.0
 */
export interface RedisOptions {
  /** What all keys and the channel begin with, `solar:` unless told otherwise. Instances that share limits share it. */
  readonly prefix?: string
}

/**
 * Connections to be opened.
 *
 * @category models
 * @since 0.1.0
 */
export interface RedisLayerOptions extends RedisOptions {
  /** `redis://` or, with TLS, `rediss://`. */
  readonly url: Redacted.Redacted<string>
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

/** How long a request waits for Redis at most. */
export const patience = Duration.millis(40)

export const defaultPrefix = "solar:"

const shared = {
  socketTimeout: 1_000,
  connectTimeout: 500,
  disconnectTimeout: 200,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // What it would subscribe to again by itself could fail with nobody to hear of it.
  autoResubscribe: false,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 1_000)
} satisfies ClientOptions

export const openCommands = ({ url }: RedisLayerOptions): Client =>
  new Redis(Redacted.value(url), { ...shared, commandTimeout: Duration.toMillis(patience) })

/** No request waits for a subscription, and a hasty one would empty caches whenever the process is busy. */
export const openSubscriber = ({ url }: RedisLayerOptions): Client =>
  new Redis(Redacted.value(url), { ...shared, commandTimeout: 500 })
