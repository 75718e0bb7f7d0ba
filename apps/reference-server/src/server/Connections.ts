/**
 * Bounds how many connections there are, in all and of one address. At a limit
 * the connection that has been idle for longest is closed for the new one.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { clientNetwork } from "@solar-sites/http-node"

/**
 * `spare` are connections beyond `maximum`, on which only health is answered.
 * `isShared` is true of addresses from which many clients come: those of proxies,
 * and by default this machine's own.
 */
export interface ConnectionLimits {
  readonly maximum: number
  readonly perAddress: number
  readonly spare: number
  readonly isShared: (address: string) => boolean
}

export const isLoopback = (address: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/.test(address)

export const defaultConnectionLimits: ConnectionLimits = {
  maximum: 5_000,
  perAddress: 500,
  spare: 100,
  isShared: isLoopback
}

interface Connection {
  readonly socket: Socket
  /** `undefined` where connections are not counted by address. */
  readonly network: string | undefined
  readonly isSpare: boolean
  /** Requests that are under way. */
  requests: number
  /** When it last became idle or, unless it is, when its last request came. */
  since: number
  response: ServerResponse | undefined
}

export interface Connections {
  /** Notices a request. False when its connection is one too many, and it is to be refused. */
  readonly notice: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Whether an answer on this connection has begun and not ended. */
  readonly hasBegun: (socket: Duplex) => boolean
}

const isForHealth = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/health/")

/** Order of closing: idle connections, then unread answers. Connections at work are kept. */
const rankOf = ({ requests, socket }: Connection): number | undefined => {
  if (requests === 0) return 0
  return socket.writableLength > 0 ? 1 : undefined
}

const leastNeeded = (connections: Iterable<Connection>): Connection | undefined => {
  let found: { readonly connection: Connection; readonly rank: number } | undefined
  for (const connection of connections) {
    const rank = rankOf(connection)
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

/** Bounds the connections of a server from now on. */
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

  const makeRoom = (among: Iterable<Connection>): boolean => {
    const connection = leastNeeded(among)
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
    const neighbours = () => [...connections.values()].filter((connection) => connection.network === network)
    const isFull = () => connections.size >= limits.maximum
    if (ofNetwork >= limits.perAddress && !makeRoom(neighbours())) return void socket.destroy()
    if (isFull()) makeRoom(connections.values())
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
    notice: (request, response) => {
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
