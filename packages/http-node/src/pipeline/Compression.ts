/**
 * Compresses responses of operations that the contract marks. Small bodies are compressed at once,
 * larger ones and streams chunk by chunk, flushed after each chunk so that the first items arrive
 * early.
 */
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib"
import { Effect, type Scope, Stream } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Coding, codingFor } from "./ContentCoding.ts"
import { isNodeRequest } from "./NodeBody.ts"
import { inChunks } from "./Reply.ts"

/** Smaller bodies fit into a packet or two; compressing them costs more than it saves. */
const leastBytes = 1_024

// About 1 ms of the event loop.
const mostBytesAtOnce = 262_144

/** Further streams are sent as they are, because each encoder holds about 1 MiB. */
const mostStreams = 16

// The lowest quality takes a third of the time of gzip and is smaller; higher ones save a few percent.
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 }
}
const gzipOptions = { level: 1 }

const encodeAtOnce = (bytes: Uint8Array, coding: Coding): Uint8Array =>
  coding === "br" ? brotliCompressSync(bytes, brotliOptions) : gzipSync(bytes, gzipOptions)

const makeEncoder = (coding: Coding) => {
  const isBrotli = coding === "br"
  const encoder = isBrotli ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
  const flush = isBrotli ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH
  let pieces: Array<Buffer> = []
  encoder.on("data", (piece) => pieces.push(piece))
  /** Runs one step, in a thread of the pool, and resolves with the output so far. */
  const step = (run: (done: () => void) => void): Effect.Effect<Uint8Array> =>
    Effect.callback((resume) => {
      const fail = (cause: Error) => resume(Effect.die(cause))
      encoder.once("error", fail)
      run(() => {
        encoder.off("error", fail)
        const bytes = Buffer.concat(pieces)
        pieces = []
        resume(Effect.succeed(bytes))
      })
    })
  return {
    push: (chunk: Uint8Array) =>
      step((done) => {
        encoder.write(chunk)
        encoder.flush(flush, done)
      }),
    end: step((done) => void encoder.once("end", done).end()),
    close: () => encoder.close()
  }
}

/** Compresses the response to one request, if its body is large enough and the client accepts it. */
export type Compress = (
  response: HttpServerResponse.HttpServerResponse
) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, Scope.Scope>

/**
 * With `compression` left out, only requests of Node are answered compressed: frameworks that pass
 * the response of the fetch handler on may drop `Content-Encoding`.
 */
export const compressionOf = (compression: boolean | undefined) => {
  let streams = 0

  // Counts a response from its headers on, before its stream begins, until the end of the request.
  const counted = Effect.acquireRelease(
    Effect.sync(() => {
      streams += 1
    }),
    () =>
      Effect.sync(() => {
        streams -= 1
      })
  )

  const encodeStream = <E>(stream: Stream.Stream<Uint8Array, E>, coding: Coding): Stream.Stream<Uint8Array, E> =>
    Stream.unwrap(
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => makeEncoder(coding)),
          ({ close }) => Effect.sync(close)
        ),
        ({ end, push }) => Stream.concat(Stream.mapEffect(stream, push), Stream.fromEffect(end))
      )
    ).pipe(Stream.filter(({ byteLength }) => byteLength > 0))

  const encodeBody = (
    body: HttpBody.Uint8Array | HttpBody.Stream,
    coding: Coding
  ): Effect.Effect<HttpBody.HttpBody | undefined, never, Scope.Scope> => {
    if (body._tag === "Uint8Array" && body.contentLength <= mostBytesAtOnce) {
      return Effect.succeed(HttpBody.uint8Array(encodeAtOnce(body.body, coding), body.contentType))
    }
    if (streams >= mostStreams) return Effect.succeed(undefined)
    const stream = body._tag === "Stream" ? body.stream : Stream.suspend(() => inChunks(body.body))
    return Effect.as(counted, HttpBody.stream(encodeStream(stream, coding), body.contentType))
  }

  return ({ headers, source }: HttpServerRequest.HttpServerRequest): Compress | undefined => {
    if (compression === false || (compression === undefined && !isNodeRequest(source))) return undefined
    return (response) => {
      const { body } = response
      // A strong tag names the version of a resource for `If-Match`, in every coding.
      if (response.headers["etag"]?.startsWith('"')) return Effect.succeed(response)
      // It has the headers that the whole response would have.
      if (response.status === 304)
        return Effect.succeed(HttpServerResponse.setHeader(response, "vary", "Accept-Encoding"))
      if (body._tag !== "Stream" && (body._tag !== "Uint8Array" || body.contentLength < leastBytes)) {
        return Effect.succeed(response)
      }
      const varying = HttpServerResponse.setHeader(response, "vary", "Accept-Encoding")
      const coding = codingFor(headers["accept-encoding"])
      if (coding === undefined) return Effect.succeed(varying)
      return Effect.map(encodeBody(body, coding), (encoded) =>
        encoded === undefined
          ? varying
          : HttpServerResponse.setHeader(
              HttpServerResponse.setBody(HttpServerResponse.removeHeader(varying, "content-length"), encoded),
              "content-encoding",
              coding
            )
      )
    }
  }
}
