/**
 * Reads the body of Node's own request. Effect's way, by a stream that ends only
 * when the request has been closed, would double what a small body costs.
 */
import { IncomingMessage } from "node:http"
import { Effect } from "effect"

/** Why there is no body: it is larger than allowed, or the client has gone. */
export type BodyFault = "too_large" | "cut_off"

/** True of a request of Node's HTTP/1 server; what imitates one is read by its stream. */
export const isNodeRequest = (source: object): source is IncomingMessage => source instanceof IncomingMessage

/** All bytes, at most so many. What comes beyond them is left to whoever ends the connection. */
export const readNodeBody = (source: IncomingMessage, maximumBytes: number): Effect.Effect<Uint8Array, BodyFault> =>
  Effect.callback((resume) => {
    if (source.readableEnded) return resume(Effect.succeed(new Uint8Array()))
    if (source.destroyed) return resume(Effect.fail("cut_off"))
    const chunks: Array<Buffer> = []
    let length = 0

    const leave = (): void => {
      source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
    }
    const answer = (found: Effect.Effect<Uint8Array, BodyFault>): void => {
      leave()
      resume(found)
    }
    const onData = (chunk: Buffer | string): void => {
      // A host may have asked for text.
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk
      length += bytes.length
      if (length <= maximumBytes) return void chunks.push(bytes)
      source.pause()
      answer(Effect.fail("too_large"))
    }
    const onEnd = (): void => {
      const [only] = chunks
      answer(Effect.succeed(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)))
    }
    const onLost = (): void => answer(Effect.fail("cut_off"))

    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
    // A host may have paused it.
    source.resume()
    return Effect.sync(leave)
  })
