/** A proxy to the Redis or Postgres server of the run that can stop and freeze. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { inject } from "vitest"
import { postgresUrl } from "./ExternalDatabase.ts"

declare module "vitest" {
  export interface ProvidedContext {
    redis: { readonly url: string | null; readonly installed: boolean }
  }
}

const { url } = inject("redis")

/** True without a server; the global setup prints the reason. */
export const withoutRedis = url === null

/** A port without a listener. */
export const deadRedis = "redis://127.0.0.1:1"

export interface ServiceProxy {
  readonly url: string
  /** Stops listening and closes all connections. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Keeps connections and accepts new ones, but forwards nothing until `thaw`. */
  readonly freeze: () => void
  readonly thaw: () => void
}

const proxyTo = async (target: URL, defaultPort: number): Promise<ServiceProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let frozen = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || defaultPort), target.hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on("data", (data) => to.write(data))
      from.on("error", () => {})
      from.once("close", () => {
        to.destroy()
        pairs.delete(pair)
      })
      if (frozen) from.pause()
    }
  })

  const start = async (port = 0) => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const address = server.address() as AddressInfo // It listens on a port.
    return address.port
  }

  const port = await start()
  const each = (act: (socket: Socket) => void) => {
    for (const pair of pairs) pair.forEach(act)
  }

  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href,
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, "close")
      server.close()
      each((socket) => socket.destroy())
      await closed
    },
    start: async () => void (await start(port)),
    freeze: () => {
      frozen = true
      each((socket) => socket.pause())
    },
    thaw: () => {
      frozen = false
      each((socket) => socket.resume())
    }
  }
}

export const redisProxy = (): Promise<ServiceProxy> => proxyTo(new URL(url ?? deadRedis), 6379)

/** Only where `withoutPostgres` is false. */
export const postgresProxy = (): Promise<ServiceProxy> => proxyTo(new URL(postgresUrl), 5432)
