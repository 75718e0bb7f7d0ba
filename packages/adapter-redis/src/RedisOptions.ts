/**
 * Connection options. The defaults of ioredis wait for seconds when Redis is down or
 * frozen; requests must not.
 */
import type { Secret } from "@solar-sites/core/options"
import { Duration } from "effect"
import { type Redis as Client, Redis } from "ioredis"

export interface RedisOptions {
  /**
   * Prefix of all keys and of the channel (default `solar:`), the same for all instances that
   * share limits.
   */
  readonly prefix?: string
  /**
   * Timeout of a request (default 40 ms, in steps of 10 ms). More than 100 ms
   * breaks the promise of `RateLimiter`.
   */
  readonly timeout?: Duration.Input
}

/** Options for connections that the layer opens. */
export interface RedisLayerOptions extends RedisOptions {
  /** `redis://` or, with TLS, `rediss://`; as text or `Redacted`. */
  readonly url: Secret
}

/**
 * Connections of the host. The subscriber is used for subscriptions only and may
 * have further ones.
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
 * Opens a client. The timeout of a request is ours (`withTimeout`): the client's
 * timeouts fire before data that has arrived is read, so that a busy process would
 * take Redis for dead. They only clean up commands that were given up.
 */
export const openClient = (url: string): Client =>
  new Redis(url, {
    commandTimeout: 500,
    socketTimeout: 1_000,
    connectTimeout: 500,
    disconnectTimeout: 200,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // A failure of an automatic subscription would not be reported.
    autoResubscribe: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000)
  })
