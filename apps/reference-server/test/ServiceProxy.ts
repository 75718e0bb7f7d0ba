/**
 * A Redis or Postgres server of a test's own, as far as its clients can tell: it
 * stands in front of the one of the run, and can stop and freeze.
 */
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

/** True where there is no server, which the setup of the run has said why. */
export const withoutRedis = url === null

/** Where nobody listens. */
export const deadRedis = "redis://127.0.0.1:1"

export interface ServiceProxy {
  readonly url: string
  /** From now on nobody listens there, and all connections are cut. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Connections stay and new ones are accepted, but nothing goes through until `thaw`. */
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

/** Not called where there is no Postgres server. */
export const postgresProxy = (): Promise<ServiceProxy> => proxyTo(new URL(postgresUrl), 5432)
