/**
 * The listening socket: limits on slow and many clients, and an end that lets
 * what is in flight finish.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { isIPv6, Server as SocketServer } from "node:net"
import { Duration, Effect, type Scope } from "effect"
import { Failure } from "../Failure.ts"
import { boundConnections, type ConnectionLimits, defaultConnectionLimits } from "./Connections.ts"
import { answerRefusals, sendProblem } from "./ServerProblems.ts"

// What is still in flight after this is cut off, so that the rest of the way down fits into ten seconds.
const drainingTime = Duration.seconds(7)

// A client may have sent its next request on a connection that looks idle from here. Whoever sends one within this time is
// answered and told to close.
const lingeringMilliseconds = 500

const quietPatienceMilliseconds = 1_000

const limits = {
  // Request line and headers, in bytes: a thousand `siteId` in a query are 44 kB.
  maxHeaderSize: 65_536,
  headersTimeout: 10_000,
  // Node's own knows no exception; what takes its place is `bounded` below.
  requestTimeout: 0,
  // Longer than load balancers keep theirs, so that they never send into a closing connection.
  keepAliveTimeout: 65_000,
  // Answered here, with a problem.
  requireHostHeader: false,
  // Headers are judged only this often; Node's own half minute would make their limit mean little.
  connectionsCheckingInterval: 1_000
}

const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === "1.1" && headers.host === undefined

const defaultBodyTimeout = Duration.seconds(30)

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `checkContinue` answers a client that waits for permission to send its body. */
export interface NodeListeners {
  readonly listener: Listener
  readonly checkContinue: Listener
}

/**
 * `bodyTimeout` (default 30 s) is how long a body may take, unless `isUnhurried`
 * says that its listener sees to that itself; `headersTimeout` (default 10 s) is
 * how long headers may take.
 */
export interface ListenOptions extends NodeListeners {
  readonly host: string
  readonly port: number
  readonly bodyTimeout?: Duration.Duration
  readonly headersTimeout?: Duration.Duration
  readonly connections?: Partial<ConnectionLimits>
  readonly isUnhurried?: (request: IncomingMessage) => boolean
}

const sentenceOf = (error: NodeJS.ErrnoException, { host, port }: ListenOptions): string => {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use by another process; set PORT to another one, or to 0 for a free one.`
    case "EACCES":
      return `Listening on port ${port} of ${host} is not permitted; set PORT to one from 1024 up.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST ${host} is no address of this machine.`
    default:
      return `Listening on port ${port} of ${host} failed: ${error.message}.`
  }
}

const addressOf = (server: Server, host: string): string => {
  const bound = server.address()
  const port = typeof bound === "object" && bound !== null ? bound.port : 0
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

const cutOff = ({ socket }: IncomingMessage, response: ServerResponse): void => {
  if (response.headersSent) socket.destroySoon()
  else sendProblem(response, "request_timeout")
}

/** Ends a request whose body has not arrived in time. */
const bounded = (
  listener: Listener,
  { bodyTimeout = defaultBodyTimeout, isUnhurried = () => false }: ListenOptions
): Listener => {
  return (request, response) => {
    if (hasBody(request) && !isUnhurried(request)) {
      const timer = setTimeout(() => {
        if (!request.complete) cutOff(request, response)
      }, Duration.toMillis(bodyTimeout))
      // After an early answer the rest of a body is still awaited.
      response.once("close", () => {
        if (request.complete || request.destroyed) clearTimeout(timer)
      })
    }
    listener(request, response)
  }
}

/**
 * Runs the action after a turn of the event loop that had next to nothing to do and accepted no connection. Then all that the
 * kernel holds for this process, connections and requests, has been taken; the end of a socket would reset it.
 */
const atQuietMoment = (server: Server, action: () => void): void => {
  const start = performance.now()
  let before = start
  let accepted = false
  const onConnection = () => {
    accepted = true
  }
  const look = () => {
    const now = performance.now()
    // The longer it takes, the less quiet it has to be.
    const longestTurn = 0.1 + (now - start) / 1_000
    if ((accepted || now - before > longestTurn) && now - start < quietPatienceMilliseconds) {
      before = now
      accepted = false
      setImmediate(look)
      return
    }
    server.off("connection", onConnection)
    action()
  }
  server.on("connection", onConnection)
  setImmediate(look)
}

/**
 * The answers that are under way, each in a place of its own. A set, from which each is taken again, would keep them all until
 * the next full garbage collection: the tables that it has grown out of still know them.
 */
const makeInFlight = () => {
  const places: Array<ServerResponse | undefined> = []
  const free: Array<number> = []
  return {
    add: (response: ServerResponse): void => {
      const place = free.pop() ?? places.length
      places[place] = response
      response.once("close", () => {
        places[place] = undefined
        free.push(place)
      })
    },
    all: () => places.filter((response) => response !== undefined)
  }
}

const drain = (server: Server, inFlight: ReadonlyArray<ServerResponse>): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    for (const response of inFlight) {
      if (!response.headersSent) response.setHeader("connection", "close")
    }
    atQuietMoment(server, () => {
      // The end of an HTTP server cuts off idle connections at once; that of a server of sockets only stops to accept.
      const closeIdle = () => void server.close(() => {})
      const timer = setInterval(() => atQuietMoment(server, closeIdle), lingeringMilliseconds)
      SocketServer.prototype.close.call(server, () => {
        clearInterval(timer)
        closeIdle()
        resume(Effect.void)
      })
    })
  }).pipe(
    Effect.timeoutOrElse({ duration: drainingTime, orElse: () => Effect.sync(() => server.closeAllConnections()) })
  )

/**
 * Listens until the scope closes, and answers the address. Then no connection is
 * accepted any more, and requests in flight have 7 s to finish.
 */
export const listen = (options: ListenOptions): Effect.Effect<string, Failure, Scope.Scope> => {
  const inFlight = makeInFlight()
  const open = Effect.callback<Server, Failure>((resume) => {
    const noticed =
      (listener: Listener): Listener =>
      (request, response) => {
        inFlight.add(response)
        if (!server.listening) response.setHeader("connection", "close")
        if (!connections.notice(request, response)) sendProblem(response, "overloaded")
        else if (lacksHost(request)) sendProblem(response, "malformed_request")
        else listener(request, response)
      }
    const { headersTimeout = Duration.millis(limits.headersTimeout) } = options
    const server = createServer(
      { ...limits, headersTimeout: Duration.toMillis(headersTimeout) },
      noticed(bounded(options.listener, options))
    )
    server.on("checkContinue", noticed(bounded(options.checkContinue, options)))
    const connections = boundConnections(server, { ...defaultConnectionLimits, ...options.connections })
    answerRefusals(server, connections.hasBegun)
    server.once("error", (error) => resume(Effect.fail(new Failure({ sentence: sentenceOf(error, options) }))))
    server.listen(options.port, options.host, () => resume(Effect.succeed(server)))
  })
  return Effect.acquireRelease(open, (server) => drain(server, inFlight.all())).pipe(
    Effect.map((server) => addressOf(server, options.host))
  )
}
