/**
 * A stream of the Postgres wire protocol to PGlite, in the place of a socket, so
 * that the same driver runs the same statements.
 */
import { Duplex } from "node:stream"
import { PgFailure } from "../client/PgErrors.ts"

/** The part of PGlite that the bridge uses. */
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

/** True when the reply ends with ReadyForQuery outside a transaction. */
const isIdle = (reply: Uint8Array): boolean =>
  reply.length >= 6 && reply[reply.length - 6] === readyForQuery && reply[reply.length - 1] === idle

/**
 * Each chunk of the driver holds whole messages, and its reply is one chunk. From
 * the first chunk until the server is idle, the bridge has the database exclusively.
 * Replies are pushed outside `write`, as a network does: the driver does not expect
 * an answer while it writes.
 */
export class PgliteBridge extends Duplex {
  /** State of the socket that the driver sees; it sends Terminate only to an open one. */
  readyState: "open" | "closed" = "open"
  readonly #backend: PgliteBackend
  readonly #chunks: Array<Uint8Array> = []
  #wake: (() => void) | undefined
  #isServing = false

  constructor(backend: PgliteBackend) {
    super()
    this.#backend = backend
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    // Terminate closes the connection, and PGlite stays open.
    if (chunk[0] === terminate) return void queueMicrotask(() => this.destroy())
    this.#chunks.push(chunk)
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
      .runExclusive(() => this.#serveUntilIdle())
      .then(
        () => {
          this.#isServing = false
          if (this.#chunks.length > 0 && !this.destroyed) this.#serve()
        },
        // Callers get the failure of a lost connection.
        (cause) => this.destroy(new PgFailure(cause instanceof Error ? cause.message : String(cause), "PGLITE_FAILED"))
      )
  }

  async #serveUntilIdle(): Promise<void> {
    while (!this.destroyed) {
      const message = this.#chunks.shift()
      if (message === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = undefined
        continue
      }
      const pieces: Array<Uint8Array> = []
      // `execProtocolRaw` keeps every answer until the database closes. A piece is memory that the
      // database reuses, so it is copied.
      await this.#backend.execProtocolRawStream(message, { onRawData: (piece) => void pieces.push(piece.slice()) })
      const reply = Buffer.concat(pieces)
      if (!this.destroyed) this.push(reply)
      if (isIdle(reply) && this.#chunks.length === 0) return
    }
  }
}
