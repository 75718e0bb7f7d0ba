/**
 * Compresses responses of operations that the contract marks. Small bodies are compressed at once,
 * larger ones and streams chunk by chunk, flushed after each chunk so that the first items arrive
 * early.
 */
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib"
import { Effect, Stream } from "effect"
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
export type Compress = (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse

/**
 * With `compression` left out, only requests of Node are answered compressed: frameworks that pass
 * the response of the fetch handler on may drop `Content-Encoding`.
 */
export const compressionOf = (compression: boolean | undefined) => {
  let streams = 0

  const encodeStream = <E>(stream: Stream.Stream<Uint8Array, E>, coding: Coding): Stream.Stream<Uint8Array, E> =>
    Stream.unwrap(
      Effect.acquireRelease(
        Effect.sync(() => {
          streams += 1
          return makeEncoder(coding)
        }),
        ({ close }) =>
          Effect.sync(() => {
            streams -= 1
            close()
          })
      ).pipe(Effect.map(({ end, push }) => Stream.concat(Stream.mapEffect(stream, push), Stream.fromEffect(end))))
    ).pipe(Stream.filter(({ byteLength }) => byteLength > 0))

  const encodeBody = (body: HttpBody.HttpBody, coding: Coding): HttpBody.HttpBody | undefined => {
    if (body._tag === "Uint8Array" && body.contentLength <= mostBytesAtOnce) {
      return HttpBody.uint8Array(encodeAtOnce(body.body, coding), body.contentType)
    }
    if (streams >= mostStreams) return undefined
    if (body._tag === "Uint8Array") {
      const chunks = Stream.suspend(() => inChunks(body.body))
      return HttpBody.stream(encodeStream(chunks, coding), body.contentType)
    }
    return body._tag === "Stream" ? HttpBody.stream(encodeStream(body.stream, coding), body.contentType) : undefined
  }

  return ({ headers, source }: HttpServerRequest.HttpServerRequest): Compress | undefined => {
    if (compression === false || (compression === undefined && !isNodeRequest(source))) return undefined
    return (response) => {
      const { body } = response
      const isLarge = body._tag === "Stream" || (body._tag === "Uint8Array" && body.contentLength >= leastBytes)
      // An entity tag names the version of a resource for `If-Match`, in every coding.
      if (!isLarge || response.headers["etag"] !== undefined) return response
      const coding = codingFor(headers["accept-encoding"])
      const encoded = coding && encodeBody(body, coding)
      if (coding === undefined || encoded === undefined) {
        return HttpServerResponse.setHeader(response, "vary", "Accept-Encoding")
      }
      return HttpServerResponse.setHeaders(
        HttpServerResponse.setBody(HttpServerResponse.removeHeader(response, "content-length"), encoded),
        { vary: "Accept-Encoding", "content-encoding": coding }
      )
    }
  }
}
