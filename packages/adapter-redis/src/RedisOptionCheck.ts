/**
 * Checks the options of the Redis adapter. An error never shows the address. The driver would
 * take any other text for the path of a unix socket.
 */
import { optionCheck, secretValue } from "@solar-sites/core/options"
import type { RedisClients, RedisLayerOptions, RedisOptions } from "./RedisOptions.ts"

const { duration, names, need } = optionCheck("the Redis adapter")

/** Form of an address, for messages. */
export const redisUrlForm =
  "the address of a Redis server, such as redis://user:password@host:6379, or rediss:// for TLS"

/** The path can be the number of a database. */
export const isRedisUrl = (text: string): boolean =>
  /^rediss?:\/\/[^/]/.test(text) && /^(\/\d*)?$/.test(URL.parse(text)?.pathname ?? "?")

const sharedNames: Readonly<Record<keyof RedisOptions, true>> = { prefix: true, timeout: true }

const layerNames: Readonly<Record<keyof RedisLayerOptions, true>> = { url: true, ...sharedNames }

const checkShared = ({ prefix = "", timeout }: RedisOptions): void => {
  need(typeof prefix === "string", "prefix", "a text", prefix)
  duration("timeout", timeout)
}

/** The address of checked options. */
export const checkOptions = (options: RedisLayerOptions): string => {
  names(options, layerNames)
  const url = secretValue(options.url)
  need(typeof url === "string" && isRedisUrl(url), "url", `${redisUrlForm}; as text or Redacted`, url)
  checkShared(options)
  return String(url)
}

/** Checks the clients of the host, and the options beside them. */
export const checkClients = (clients: RedisClients, options: RedisOptions = {}): void => {
  for (const name of ["commands", "subscriber"] as const) {
    const client: unknown = Reflect.get(Object(clients), name)
    const isClient = typeof Reflect.get(Object(client), "subscribe") === "function"
    need(isClient, name, "a client of ioredis, such as new Redis(url)", client)
  }
  names(options, sharedNames)
  checkShared(options)
}
