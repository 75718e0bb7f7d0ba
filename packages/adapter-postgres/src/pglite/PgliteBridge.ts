/**
 * A connection of the Postgres wire protocol that leads to PGlite instead of a
 * socket, so that the same driver runs the same statements on it.
 */
import { Duplex } from "node:stream"
import { PgFailure } from "../client/PgErrors.ts"

/** The part of PGlite the bridge needs. */
export interface PgliteBackend {
  readonly runExclusive: <A>(task: () => Promise<A>) => Promise<A>
  readonly execProtocolRawStream: (
    message: Uint8Array,
    options: { readonly onRawData: (piece: Uint8Array) => void }
  ) => Promise<void>
}

const terminate = 0x58
const readyForQuery = 0x5a
const idle = 0x49

/** True when the server has nothing left to do for the client: the reply ends with ReadyForQuery, outside a transaction. */
const isIdle = (reply: Uint8Array): boolean =>
  reply.length >= 6 && reply[reply.length - 6] === readyForQuery && reply[reply.length - 1] === idle

/**
 * Each chunk that the driver writes holds whole messages and gets its reply in
 * one piece. From the first of them until the server is idle again, nobody else
 * has the database. Replies are pushed outside `write`, as from a network: the
 * driver does not expect an answer before it has finished asking.
 */
export class PgliteBridge extends Duplex {
  /** What a socket would say; the driver takes leave only of an open one. */
  readyState: "open" | "closed" = "open"
  readonly #backend: PgliteBackend
  readonly #asked: Array<Uint8Array> = []
  #wake: (() => void) | undefined
  #isServing = false

  constructor(backend: PgliteBackend) {
    super()
    this.#backend = backend
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    // The answer to "I am leaving" is to leave; PGlite itself stays.
    if (chunk[0] === terminate) return void queueMicrotask(() => this.destroy())
    this.#asked.push(chunk)
    this.#wake?.()
    if (!this.#isServing) this.#serve()
    done()
  }

  override _final(done: (error?: Error) => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.readyState = "closed"
    this.#wake?.()
    done(error)
  }

  #serve(): void {
    this.#isServing = true
    this.#backend
      .runExclusive(() => this.#untilIdle())
      .then(
        () => {
          this.#isServing = false
          if (this.#asked.length > 0 && !this.destroyed) this.#serve()
        },
        // An embedded server that breaks down is one that cannot be reached.
        (cause) => this.destroy(new PgFailure(String(cause), "PGLITE_FAILED"))
      )
  }

  async #untilIdle(): Promise<void> {
    while (!this.destroyed) {
      const message = this.#asked.shift()
      if (message === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = undefined
        continue
      }
      const pieces: Array<Uint8Array> = []
      // `execProtocolRaw` would keep every answer for as long as the database is open. A piece is memory of the database, which
      // it writes over.
      await this.#backend.execProtocolRawStream(message, { onRawData: (piece) => void pieces.push(piece.slice()) })
      const reply = Buffer.concat(pieces)
      if (!this.destroyed) this.push(reply)
      if (isIdle(reply) && this.#asked.length === 0) return
    }
  }
}
