/**
 * A TCP proxy to a port of this machine, with the faults of networks.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** Faults that last until they are replaced. */
export interface Conditions {
  /** Added to each chunk, in both directions. */
  readonly latencyMillis?: number
  /** Rate of each direction of a connection. */
  readonly bytesPerSecond?: number
  /** Forwards nothing. Connections stay open, and new ones are accepted. */
  readonly blackhole?: boolean
  /** A blackhole that loses its bytes: its connections stay silent, new ones are forwarded again. */
  readonly drop?: boolean
  /** Done to new connections. */
  readonly onConnect?: "reset" | "halfClose"
}

type Side = "client" | "server"

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** One direction of a connection. */
interface Stream {
  readonly from: Socket
  readonly to: Socket
  readonly side: Side
  /** Forwarded before the connection is reset. */
  bytesLeft: number
}

// Buffered for a slow connection before its sender has to wait.
const maximumBufferedBytes = 1_048_576

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** A proxy to the port, without faults at first. */
export const openNetwork = async (target: number) => {
  const streams = new Set<Stream>()
  let conditions: Conditions = {}
  let healed = Promise.withResolvers<void>()

  const resetPair = ({ from, to }: Stream): void => {
    for (const socket of [from, to]) socket.resetAndDestroy()
  }

  const lost = new WeakSet<Socket>()

  /** Connections of a blackhole that drops never forward again. */
  const isLost = ({ from, to }: Stream): boolean => lost.has(from) || lost.has(to)

  const lose = (): void => {
    for (const { from } of streams) lost.add(from)
  }

  const passable = async (): Promise<void> => {
    while (conditions.blackhole) await healed.promise
  }

  const deliver = async (stream: Stream, chunk: Buffer, arrivedAt: number): Promise<void> => {
    const { bytesPerSecond = Number.POSITIVE_INFINITY, latencyMillis = 0 } = conditions
    const millis = arrivedAt + latencyMillis - performance.now() + (chunk.length * 1_000) / bytesPerSecond
    if (millis > 0) await sleep(millis)
    await passable()
    const { bytesLeft, to } = stream
    if (!to.writable || bytesLeft <= 0) return
    const isCut = chunk.length >= bytesLeft
    // The reset follows the last byte; it would overtake buffered bytes.
    to.write(chunk.subarray(0, bytesLeft), () => {
      if (isCut) resetPair(stream)
    })
    stream.bytesLeft -= chunk.length
  }

  const forward = (from: Socket, to: Socket, side: Side): void => {
    const stream: Stream = { from, to, side, bytesLeft: Number.POSITIVE_INFINITY }
    streams.add(stream)
    let last = Promise.resolve()
    let bufferedBytes = 0
    from.on("data", (chunk: Buffer) => {
      if (isLost(stream)) return
      bufferedBytes += chunk.length
      if (bufferedBytes > maximumBufferedBytes) from.pause()
      const arrivedAt = performance.now()
      last = last
        .then(() => deliver(stream, chunk, arrivedAt))
        .then(() => {
          bufferedBytes -= chunk.length
          if (bufferedBytes <= maximumBufferedBytes) from.resume()
        })
    })
    let isReset = false
    from.on("end", () => {
      if (isLost(stream)) from.destroy()
      else void last.then(passable).then(() => to.end())
    })
    from.on("error", () => {
      isReset = true
    })
    from.on("close", () => {
      streams.delete(stream)
      if (isLost(stream)) {
        // The client's side is not told of the end; the server's side ends with it.
        if (side === "server") to.destroy()
        return
      }
      void last.then(passable).then(() => (isReset ? to.resetAndDestroy() : to.destroy()))
    })
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true })
    forward(client, upstream, "server")
    forward(upstream, client, "client")
    if (conditions.drop) lose()
    if (conditions.onConnect === "halfClose") client.end()
    if (conditions.onConnect === "reset") client.resetAndDestroy()
  })

  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const { port: bound } = server.address() as AddressInfo // It listens on a port.
    return bound
  }

  /** Closes the open connections, and listens no more until `accept`. */
  const refuse = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, "close")
    server.close()
    for (const stream of streams) resetPair(stream)
    await closed
  }

  const port = await listen(0)
  return {
    port,
    connections: () => streams.size / 2,
    /** Replaces the conditions of open and new connections. */
    set: (next: Conditions) => {
      conditions = next
      if (next.drop) lose()
      healed.resolve()
      healed = Promise.withResolvers()
    },
    /** Resets the open connections at both ends. */
    reset: () => {
      for (const stream of streams) resetPair(stream)
    },
    /** Ends the stream to one side of the open connections. The other direction stays open. */
    halfClose: (side: Side) => {
      for (const stream of streams) if (stream.side === side) stream.to.end()
    },
    /** Resets each open connection after so many more bytes to that side. */
    cutAfter: (bytes: number, side: Side) => {
      for (const stream of streams) if (stream.side === side) stream.bytesLeft = bytes
    },
    refuse,
    accept: async () => void (server.listening || (await listen(port))),
    close: refuse
  }
}
