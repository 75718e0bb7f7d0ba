/**
 * What the driver at the given address makes of two connections that close at the
 * wrong moment, told as one line of JSON. A process of its own, since one of the
 * faults is an uncaught exception.
 */
import { once } from "node:events"
import { Duplex } from "node:stream"
import { setImmediate as turn } from "node:timers/promises"
import type postgres from "postgres"

const driver: { readonly default: typeof postgres } = await import(process.argv[2] ?? "")

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const authentication = (kind: number) => message("R", Buffer.from([0, 0, 0, kind]))
const ready = message("Z", Buffer.from("I"))
const done = Buffer.concat([message("C", Buffer.from("SELECT 0\0")), ready])

/** A server at the other end of a socket: answers the greeting with `welcome`, and every statement with nothing. */
class FakeSocket extends Duplex {
  readyState = "open"
  greeted = false
  silent = false
  readonly welcome: Buffer

  constructor(welcome: Buffer) {
    super()
    this.welcome = welcome
  }

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    const reply = this.greeted ? done : this.welcome
    this.greeted = true
    if (!this.silent) setImmediate(() => this.push(reply))
    written()
  }
}

/** Connections after the first `dials` never get an answer. */
const connecting = (
  welcome: Buffer,
  more: postgres.Options<Record<string, never>> = {},
  dials = Number.POSITIVE_INFINITY
) => {
  const sockets: Array<FakeSocket> = []
  const settings = {
    max: 1,
    fetch_types: false,
    backoff: () => 0,
    ...more,
    socket: async () => {
      if (sockets.length === dials) return new Promise(() => {})
      const socket = new FakeSocket(welcome)
      sockets.push(socket)
      return socket
    }
  }
  return { sql: driver.default(settings), sockets }
}

const outcomeOf = (query: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(query).then(
    () => "answered",
    (error: { readonly code?: string }) => error.code ?? String(error)
  )

const turns = async (count: number) => {
  for (let index = 0; index < count; index++) await turn()
}

/** The connection closes while a statement waits to be written. What becomes of it, and of the next one? */
const buffered = async () => {
  const { sockets, sql } = connecting(Buffer.concat([authentication(0), ready]))
  await sql.unsafe("select 1")
  const lost = outcomeOf(sql.unsafe("select 2"))
  // The statement is handed to the connection in a few promises' time, and written in the turn after that.
  for (let index = 0; index < 10; index++) await Promise.resolve()
  const [first] = sockets
  first?.destroy()
  const next = outcomeOf(lost.then(() => sql.unsafe("select 3")))
  const outcome = await lost
  while (sockets.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
  return { lost: outcome, next: await Promise.race([next, turns(20_000).then(() => "never answered")]) }
}

/** A connection breaks, and a statement comes before it has closed, as it does over a network. */
const broken = async () => {
  const { sockets, sql } = connecting(Buffer.concat([authentication(0), ready]))
  await sql.unsafe("select 1")
  const [first] = sockets
  if (first === undefined) throw new Error("no connection")
  first.silent = true
  const lost = outcomeOf(sql.unsafe("select 2"))
  await turns(10)
  first.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
  const meanwhile = outcomeOf(sql.unsafe("select 3"))
  await turns(10)
  first.emit("close", true)
  const next = outcomeOf(sql.unsafe("select 4"))
  const inTime = async (outcome: Promise<string>) => Promise.race([outcome, turns(20_000).then(() => "never answered")])
  return { lost: await lost, meanwhile: await inTime(meanwhile), next: await inTime(next) }
}

/** The connection closes while the password is being fetched, which is then written to no socket. */
const late = async () => {
  let tell = (_password: string) => {}
  let asked = () => {}
  const wasAsked = new Promise<void>((resolve) => (asked = resolve))
  const password = () => {
    asked()
    return new Promise<string>((resolve) => (tell = resolve))
  }
  // A second connection would have a socket.
  const { sockets, sql } = connecting(authentication(3), { password }, 1)
  const uncaught = once(process, "uncaughtException").then(([error]) => String(error))
  const query = outcomeOf(sql.unsafe("select 1"))
  await wasAsked
  const [socket] = sockets
  socket?.destroy()
  if (socket !== undefined) await once(socket, "close")
  // The driver dials again in a millisecond, which a slow machine is over by now.
  for (const until = performance.now() + 5; performance.now() < until; );
  tell("secret")
  const fault = await Promise.race([uncaught, turns(100).then(() => null)])
  return { fault, query: await Promise.race([query, turns(100).then(() => "never answered")]) }
}

const told = { buffered: await buffered(), broken: await broken(), late: await late() }
process.stdout.write(`${JSON.stringify(told)}\n`, () => process.exit())
