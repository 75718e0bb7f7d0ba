/** HTTP listener: limits for slow clients and many connections, and a graceful shutdown. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { isIPv6, type Socket, Server as SocketServer } from "node:net"
import { Duration, Effect, type Scope } from "effect"
import { Failure } from "../Failure.ts"
import { acceptFirst, boundConnections, type ConnectionLimits, defaultConnectionLimits } from "./Connections.ts"
import { answerRefusals, sendProblem } from "./ServerProblems.ts"

// An import of the module would load Node's fetch.
const http = process.getBuiltinModule("node:http")

// Requests in flight are cut off after this, so that the whole shutdown takes at most ten seconds.
const drainTimeout = Duration.seconds(7)

// The next request may already be on its way on a connection that is idle here. During a shutdown
// it is answered with `connection: close`; without a request for this time idle connections end.
const lingerMillis = 500

// The two bounds leave half a second of `drainTimeout`.
const longestLingerMillis = 3_000
const longestWaitForQuietMillis = 3_000

const limits = {
  // Bytes of request line and headers: a query with a thousand `siteId` has 44 kB.
  maxHeaderSize: 65_536,
  headersTimeout: 10_000,
  // Node's timeout has no exception for uploads; `withBodyTimeout` replaces it.
  requestTimeout: 0,
  // Longer than the idle timeout of load balancers, which then never use a closing connection.
  keepAliveTimeout: 65_000,
  // A missing Host is answered here with a problem document.
  requireHostHeader: false,
  // Interval at which Node checks `headersTimeout`; its default of 30 s is longer than the timeout.
  // All that expire in an interval are reported in one turn of the event loop, and each look reads all silent connections:
  // 3,000 of them took 4 % of a core at 20 ms.
  connectionsCheckingInterval: 50
}

const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === "1.1" && headers.host === undefined

const defaultBodyTimeout = Duration.seconds(30)

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * `checkContinue` handles requests with `Expect: 100-continue`. `headersTimeout` (default 10 s) limits the
 * arrival of headers, `bodyTimeout` (default 30 s) that of a body. Listeners limit bodies of `hasOwnBodyTimeout`.
 */
export interface ListenOptions {
  readonly listener: Listener
  readonly checkContinue: Listener
  readonly host: string
  readonly port: number
  readonly bodyTimeout?: Duration.Duration
  readonly headersTimeout?: Duration.Duration
  readonly connections?: Partial<ConnectionLimits>
  readonly hasOwnBodyTimeout?: (request: IncomingMessage) => boolean
}

const messageFor = (error: NodeJS.ErrnoException, { host, port }: ListenOptions): string => {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use by another process; set PORT to another one, or to 0 for a free one.`
    case "EACCES":
      return `Listening on port ${port} of ${host} is not permitted; set PORT to one from 1024 up.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST ${host} is not an address of this machine.`
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

/** Answers 408 if the body does not arrive within the timeout. */
const withBodyTimeout = (
  listener: Listener,
  { bodyTimeout = defaultBodyTimeout, hasOwnBodyTimeout = () => false }: ListenOptions
): Listener => {
  return (request, response) => {
    if (hasBody(request) && !hasOwnBodyTimeout(request)) {
      const timer = setTimeout(() => {
        if (!request.complete) cutOff(request, response)
      }, Duration.toMillis(bodyTimeout))
      // After an early response the rest of the body is still limited.
      response.once("close", () => {
        if (request.complete || request.destroyed) clearTimeout(timer)
      })
    }
    listener(request, response)
  }
}

/**
 * Runs the action after a short turn of the event loop that accepted no connection.
 * Pending connections and requests have then been read from the kernel; closing the
 * socket earlier would reset them. A connection that arrives within the turn, less
 * than 0.1 ms, is still reset: TCP has no way to refuse it.
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
    // The limit grows with the wait, so that a busy process gets there too.
    const longestTurn = 0.03 + (now - start) / 1_000
    if ((accepted || now - before > longestTurn) && now - start < longestWaitForQuietMillis) {
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
 * Accepts connections without reading requests, so that the process becomes quiet
 * under any load. The returned function starts to serve these connections.
 */
const holdConnections = (server: Server): (() => void) => {
  const held: Array<Socket> = []
  const listeners = server.listeners("connection")
  server.removeAllListeners("connection")
  server.on("connection", (socket: Socket) => {
    held.push(socket.on("error", () => {}))
  })
  return () => {
    for (const socket of held) {
      // Its client has closed without a request; the server would wait for the end that is past.
      if (socket.readableEnded) socket.destroy()
      if (!socket.destroyed) for (const listener of listeners) Reflect.apply(listener, server, [socket])
    }
  }
}

/**
 * Responses in flight, in reusable slots. A `Set` would keep finished responses
 * alive until the next full collection, through hash tables that it has outgrown.
 */
const makeInFlight = () => {
  const slots: Array<ServerResponse | undefined> = []
  const free: Array<number> = []
  return {
    add: (response: ServerResponse): void => {
      const slot = free.pop() ?? slots.length
      slots[slot] = response
      response.once("close", () => {
        slots[slot] = undefined
        free.push(slot)
      })
    },
    all: () => slots.filter((response) => response !== undefined)
  }
}

/** Shared by requests and the shutdown. */
interface Activity {
  readonly inFlight: ReturnType<typeof makeInFlight>
  isDraining: boolean
  lastRequest: number
}

const drain = (server: Server, activity: Activity): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const start = performance.now()
    activity.isDraining = true
    for (const response of activity.inFlight.all()) {
      if (!response.headersSent) response.setHeader("connection", "close")
    }
    // `close` of an HTTP server ends idle connections at once; that of a socket server stops
    // accepting only.
    const closeIdle = () => void server.close(() => {})
    const lookForSilence = () => {
      const now = performance.now()
      const isSilent = now - activity.lastRequest >= lingerMillis
      if (isSilent || now - start >= longestLingerMillis) atQuietMoment(server, closeIdle)
    }
    const serveHeld = holdConnections(server)
    atQuietMoment(server, () => {
      SocketServer.prototype.close.call(server, () => {
        clearInterval(timer)
        closeIdle()
        resume(Effect.void)
      })
      const timer = setInterval(lookForSilence, lingerMillis)
      serveHeld()
    })
  }).pipe(
    Effect.timeoutOrElse({ duration: drainTimeout, orElse: () => Effect.sync(() => server.closeAllConnections()) })
  )

/**
 * Listens until the scope closes; succeeds with the address. On close it stops
 * accepting connections and gives requests in flight 7 s to finish.
 */
export const listen = (options: ListenOptions): Effect.Effect<string, Failure, Scope.Scope> => {
  const activity: Activity = { inFlight: makeInFlight(), isDraining: false, lastRequest: 0 }
  const open = Effect.callback<Server, Failure>((resume) => {
    const tracked =
      (listener: Listener): Listener =>
      (request, response) => {
        activity.inFlight.add(response)
        activity.lastRequest = performance.now()
        if (activity.isDraining) response.setHeader("connection", "close")
        if (!connections.track(request, response)) sendProblem(response, "overloaded")
        else if (lacksHost(request)) sendProblem(response, "malformed_request")
        else afterConnections(request, () => listener(request, response))
      }
    const { headersTimeout = Duration.millis(limits.headersTimeout) } = options
    const server = http.createServer(
      { ...limits, headersTimeout: Duration.toMillis(headersTimeout) },
      tracked(withBodyTimeout(options.listener, options))
    )
    server.on("checkContinue", tracked(withBodyTimeout(options.checkContinue, options)))
    const afterConnections = acceptFirst(server)
    const connections = boundConnections(server, { ...defaultConnectionLimits, ...options.connections })
    answerRefusals(server, connections.hasBegun)
    server.once("error", (error) => resume(Effect.fail(new Failure({ message: messageFor(error, options) }))))
    server.listen(options.port, options.host, () => resume(Effect.succeed(server)))
  })
  return Effect.acquireRelease(open, (server) => drain(server, activity)).pipe(
    Effect.map((server) => addressOf(server, options.host))
  )
}
