/**
 * Reads the body of a request of node:http. The stream of Effect ends only when the request has
 * been closed, which doubles the cost of a small body.
 */
import type { IncomingMessage } from "node:http"
import { Effect } from "effect"

// An import of the module would load Node's fetch.
const http = process.getBuiltinModule("node:http")

/** `cut_off`: the connection was lost. */
export type BodyFault = "too_large" | "cut_off"

/** True of a request of Node's HTTP/1 server; imitations of one are read as streams. */
export const isNodeRequest = (source: object): source is IncomingMessage => source instanceof http.IncomingMessage

/** True while the platform waits for further bytes of the body. */
export const isUnderWay = ({ source }: { readonly source: object }): boolean =>
  isNodeRequest(source) && !source.complete

/** Reads at most `maximumBytes`; the rest of a larger body stays unread. */
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
      // The host may have set an encoding.
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
    // The host may have paused it.
    source.resume()
    return Effect.sync(leave)
  })
