/**
 * Reads the body of an upload in chunks, so that memory stays flat and a refused upload is not
 * read to its end.
 */
import { Clock, Duration, Effect, Exit, Option, Pull, Scope, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { refuse, type StorageRefused } from "./Refused.ts"

// A client that sends nothing for this long has gone, even when the connection is still open.
const longestSilence = Duration.seconds(30)

// The average over the whole upload, checked after the first minute: 100 MiB take at most 3.6 hours.
const leastBytesPerSecond = 8 * 1_024
const gracePeriod = 60_000

const streamOf = ({ source, stream }: HttpServerRequest.HttpServerRequest) =>
  source instanceof Request && source.body === null ? Stream.empty : stream

/**
 * Calls `onChunk` for each chunk of the body, in order. A body that is silent for 30 s, or slower
 * than 8 KiB/s on average after its first minute, is refused. When `onChunk` fails, reading stops
 * and the request stays open: closing it would cut the connection before the response is read.
 */
export const eachChunk = <E>(
  request: HttpServerRequest.HttpServerRequest,
  onChunk: (chunk: Uint8Array) => Effect.Effect<void, E>
): Effect.Effect<void, E | StorageRefused> =>
  Effect.suspend(() => {
    const scope = Scope.makeUnsafe()
    const read = Effect.gen(function* () {
      const pull = yield* Scope.provide(Stream.toPull(streamOf(request)), scope)
      const next = Effect.map(pull, Option.some<ReadonlyArray<Uint8Array>>).pipe(
        Pull.catchDone(() => Effect.succeedNone),
        Effect.catch(() => refuse("upload_incomplete")),
        Effect.timeoutOrElse({ duration: longestSilence, orElse: () => refuse("upload_stalled") })
      )
      const begun = yield* Clock.currentTimeMillis
      let received = 0
      for (let chunks = yield* next; Option.isSome(chunks); chunks = yield* next) {
        for (const chunk of chunks.value) {
          received += chunk.byteLength
          yield* onChunk(chunk)
        }
        const elapsed = (yield* Clock.currentTimeMillis) - begun
        if (elapsed > gracePeriod && received < (elapsed / 1_000) * leastBytesPerSecond) {
          return yield* refuse("upload_stalled")
        }
      }
    })
    return Effect.onExit(read, (exit) =>
      Exit.isSuccess(exit) || Exit.hasInterrupts(exit) || request.source instanceof Request
        ? Scope.close(scope, exit)
        : Effect.void
    )
  })
