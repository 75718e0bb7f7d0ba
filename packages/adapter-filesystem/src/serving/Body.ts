/**
 * Reads the body of an upload piece by piece, so that memory stays flat and a
 * refusal needs no more of it than was read.
 */
import { Clock, Duration, Effect, Exit, Option, Pull, Scope, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type Refused, refuse } from "./Refused.ts"

// A client that sends nothing for so long has gone, even when its connection has not.
const longestSilence = Duration.seconds(30)

// Slower uploads on average are ended after the first minute: 100 MiB take at most 3.6 hours.
const leastBytesPerSecond = 8 * 1_024
const firstMinute = 60_000

/** Whether the platform still waits for bytes of the body. */
export const isUnderWay = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  "complete" in source && source.complete === false

const streamOf = ({ source, stream }: HttpServerRequest.HttpServerRequest) =>
  source instanceof Request && source.body === null ? Stream.empty : stream

/**
 * Hands over each piece of the body. A body that is silent for 30 s, or slower
 * than 8 KiB/s on average after its first minute, is refused. When `onPiece` fails, reading stops but the
 * request stays open: closing it would cut the connection before the answer
 * could be read. The server closes it after the answer.
 */
export const eachPiece = <E>(
  request: HttpServerRequest.HttpServerRequest,
  onPiece: (piece: Uint8Array) => Effect.Effect<void, E>
): Effect.Effect<void, E | Refused> =>
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
      for (let pieces = yield* next; Option.isSome(pieces); pieces = yield* next) {
        for (const piece of pieces.value) {
          received += piece.byteLength
          yield* onPiece(piece)
        }
        const elapsed = (yield* Clock.currentTimeMillis) - begun
        if (elapsed > firstMinute && received < (elapsed / 1_000) * leastBytesPerSecond) {
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
