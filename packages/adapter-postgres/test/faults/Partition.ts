/**
 * A network between a client and a server that can lose everything.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface Network {
  readonly port: number
  /** Forwards nothing any more, and closes nothing. New connections are accepted, and hang, too. */
  readonly cut: () => void
  /** Closes what was cut off; new connections are forwarded. */
  readonly mend: () => void
  readonly close: () => void
}

/** A network to a port of this machine. */
export const networkTo = async (target: number): Promise<Network> => {
  const pairs = new Set<ReadonlyArray<Socket>>()
  let isCut = false
  const server = createServer((near) => {
    const far = isCut ? undefined : connect(target, "127.0.0.1")
    const pair = far === undefined ? [near] : [near, far]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on("error", () => {})
      socket.once("close", () => {
        // A closed connection is not noticed on the other side of a cut.
        if (isCut) return
        for (const other of pair) other.destroy()
        pairs.delete(pair)
      })
    }
    if (far !== undefined) near.pipe(far).pipe(near)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // It listens on a port.
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    pairs.clear()
  }
  return {
    port,
    cut: () => {
      isCut = true
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause()
    },
    mend: () => {
      isCut = false
      drop()
    },
    close: () => {
      server.close()
      drop()
    }
  }
}
