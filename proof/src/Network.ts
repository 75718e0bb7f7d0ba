/**
 * A TCP proxy to a port of this machine, with the faults of networks.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** Faults that last until they are replaced. */
export interface Conditions {
  /** Added to each chunk, in both directions. */
  readonly latencyMillis?: number
  /** Of each direction of a connection. */
  readonly bytesPerSecond?: number
  /** Forwards nothing. Connections stay open, and new ones are accepted. */
  readonly blackhole?: boolean
}

type Side = "client" | "server"

export interface Network {
  readonly port: number
  readonly connections: () => number
  /** Replaces the conditions of open and new connections. */
  readonly set: (conditions: Conditions) => void
  /** Resets the open connections at both ends. */
  readonly reset: () => void
  /** Ends the stream to one side of the open connections. The other direction stays open. */
  readonly halfClose: (to: Side) => void
  /** Resets each open connection after so many more bytes to that side. */
  readonly cutAfter: (bytes: number, to: Side) => void
  readonly close: () => Promise<void>
}

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
export const openNetwork = async (target: number): Promise<Network> => {
  const streams = new Set<Stream>()
  let conditions: Conditions = {}
  let healed = Promise.withResolvers<void>()

  const resetPair = ({ from, to }: Stream): void => {
    for (const socket of [from, to]) socket.resetAndDestroy()
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
    // The reset follows the last byte; it would overtake what is only buffered.
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
    from.on("end", () => void last.then(passable).then(() => to.end()))
    from.on("error", () => {
      isReset = true
    })
    from.on("close", () => {
      streams.delete(stream)
      void last.then(passable).then(() => (isReset ? to.resetAndDestroy() : to.destroy()))
    })
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true })
    forward(client, upstream, "server")
    forward(upstream, client, "client")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // It listens on a port.

  return {
    port,
    connections: () => streams.size / 2,
    set: (next) => {
      conditions = next
      healed.resolve()
      healed = Promise.withResolvers()
    },
    reset: () => {
      for (const stream of streams) resetPair(stream)
    },
    halfClose: (side) => {
      for (const stream of streams) if (stream.side === side) stream.to.end()
    },
    cutAfter: (bytes, side) => {
      for (const stream of streams) if (stream.side === side) stream.bytesLeft = bytes
    },
    close: async () => {
      const closed = once(server, "close")
      server.close()
      for (const stream of streams) resetPair(stream)
      await closed
    }
  }
}
