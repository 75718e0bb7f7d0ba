/**
 * Limits of connections, in total and per address. At a limit the connection that
 * has been idle the longest is closed in favour of the new one.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { clientNetwork } from "@solar-sites/http-node"

/**
 * `spare` connections beyond `maximum` are answered for health only. `isShared` is
 * true of addresses of many clients, such as proxies; `perAddress` does not apply
 * to them. By default only loopback addresses are shared.
 */
export interface ConnectionLimits {
  readonly maximum: number
  readonly perAddress: number
  readonly spare: number
  readonly isShared: (address: string) => boolean
}

export const isLoopback = (address: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/.test(address)

export const defaultConnectionLimits: ConnectionLimits = {
  maximum: 12_000,
  perAddress: 500,
  spare: 100,
  isShared: isLoopback
}

interface Connection {
  readonly socket: Socket
  /** `undefined` for shared addresses. */
  readonly network: string | undefined
  readonly isSpare: boolean
  /** Requests in flight. */
  requests: number
  /** Start of the idle time or, with requests in flight, of the last request. */
  since: number
  response: ServerResponse | undefined
}

export interface Connections {
  /**
   * Tracks a request. False when its connection exceeds the limit and the request must be refused.
   */
  readonly track: (request: IncomingMessage, response: ServerResponse) => boolean
  /** True while a response on this connection has begun and not ended. */
  readonly hasBegun: (socket: Duplex) => boolean
}

const isForHealth = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/health/")

/** Order of closing: idle connections, then responses that are not read. Others are kept. */
const rankOf = ({ requests, socket }: Connection): number | undefined => {
  if (requests === 0) return 0
  return socket.writableLength > 0 ? 1 : undefined
}

const firstToClose = (
  connections: Iterable<Connection>,
  isCandidate: (connection: Connection) => boolean
): Connection | undefined => {
  let found: { readonly connection: Connection; readonly rank: number } | undefined
  for (const connection of connections) {
    const rank = isCandidate(connection) ? rankOf(connection) : undefined
    if (rank === undefined) continue
    if (
      found === undefined ||
      rank < found.rank ||
      (rank === found.rank && connection.since < found.connection.since)
    ) {
      found = { connection, rank }
    }
  }
  return found?.connection
}

// A connection costs 50 µs.
const mostAcceptedFirst = 64

/**
 * Accepts waiting connections before requests begin. Node accepts one connection in each turn of
 * the event loop: while turns are long, a new client would wait for as many turns as there are
 * connections before it. So requests wait for a turn without a new connection, or for 64 of them.
 */
export const acceptFirst = (server: {
  readonly on: (event: "connection", listener: () => void) => unknown
}): ((request: Pick<IncomingMessage, "socket">, begin: () => void) => void) => {
  const held: Array<() => void> = []
  let isHolding = false
  let accepted = 0
  let seen = 0
  const look = (): void => {
    if (accepted > seen && accepted < mostAcceptedFirst) {
      seen = accepted
      setImmediate(look)
      return
    }
    isHolding = false
    for (const begin of held.splice(0)) begin()
  }
  server.on("connection", () => {
    accepted += 1
    if (isHolding) return
    isHolding = true
    accepted = 1
    seen = 0
    setImmediate(look)
  })
  return ({ socket }, begin) => {
    if (!isHolding) return begin()
    held.push(() => {
      if (!socket.destroyed) begin()
    })
  }
}

/** Applies the limits to a server that does not listen yet. */
export const boundConnections = (server: Server, limits: ConnectionLimits): Connections => {
  const connections = new Map<Duplex, Connection>()
  const counts = new Map<string, number>()

  const forget = (connection: Connection): void => {
    const { network, socket } = connection
    if (!connections.delete(socket) || network === undefined) return
    const left = (counts.get(network) ?? 1) - 1
    if (left > 0) counts.set(network, left)
    else counts.delete(network)
  }

  const makeRoom = (isCandidate = (_: Connection) => true): boolean => {
    const connection = firstToClose(connections.values(), isCandidate)
    if (connection === undefined) return false
    forget(connection)
    connection.socket.destroy()
    return true
  }

  const networkOf = ({ remoteAddress = "" }: Socket): string | undefined =>
    limits.isShared(remoteAddress) ? undefined : clientNetwork(remoteAddress)

  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket)
    const ofNetwork = network === undefined ? 0 : (counts.get(network) ?? 0)
    const isNeighbour = (connection: Connection) => connection.network === network
    const isFull = () => connections.size >= limits.maximum
    if (ofNetwork >= limits.perAddress && !makeRoom(isNeighbour)) return void socket.destroy()
    if (isFull()) makeRoom()
    const isSpare = isFull()
    if (connections.size >= limits.maximum + limits.spare) return void socket.destroy()
    const connection: Connection = {
      socket,
      network,
      isSpare,
      requests: 0,
      since: performance.now(),
      response: undefined
    }
    connections.set(socket, connection)
    if (network !== undefined) counts.set(network, (counts.get(network) ?? 0) + 1)
    socket.once("close", () => forget(connection))
  })

  return {
    track: (request, response) => {
      const connection = connections.get(request.socket)
      if (connection === undefined) return true
      connection.requests += 1
      connection.since = performance.now()
      connection.response = response
      response.once("close", () => {
        connection.requests -= 1
        connection.since = performance.now()
        connection.response = undefined
      })
      return !connection.isSpare || isForHealth(request)
    },
    hasBegun: (socket) => connections.get(socket)?.response?.headersSent === true
  }
}
