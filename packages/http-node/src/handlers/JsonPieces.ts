/**
 * Lists of any length with flat memory: JSON written piece by piece. The first
 * piece is fetched before the answer begins, so that a failure is still a
 * problem; a later one cuts the connection, since half a list must never look
 * like a whole one.
 */
import { CurrentCaller, type List, maximumPageSize } from "@solar-sites/core"
import { Effect, Option, Pull, type Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonMediaType, type Reply, reply } from "./Reply.ts"

/** Some of the text of a JSON document; `last` closes it. */
export interface Piece {
  readonly text: string
  readonly last: boolean
}

const encoder = new TextEncoder()

const logged = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Stream.tapError(stream, (error) => Effect.logError("A list broke off", error))

/** Answers a document: at once when its first chunk is all of it, and as a stream otherwise. */
export const replyPieces = <A, E>(
  pieces: Stream.Stream<Piece, E, CurrentCaller>
): Effect.Effect<Reply<A>, E, CurrentCaller | Scope.Scope> =>
  Effect.gen(function* () {
    const caller = yield* CurrentCaller
    const pull = yield* Stream.toPull(Stream.provideService(pieces, CurrentCaller, caller))
    const first = yield* Pull.catchDone(pull, () => Effect.die(new Error("A document without a piece")))
    const begin = first.map(({ text }) => text).join("")
    if (first.at(-1)?.last === true) return HttpServerResponse.text(begin, { contentType: jsonMediaType })
    const rest = Stream.map(Stream.fromPull(Effect.succeed(pull)), ({ text }) => encoder.encode(text))
    return HttpServerResponse.stream(Stream.concat(Stream.succeed(encoder.encode(begin)), logged(rest)), {
      contentType: jsonMediaType
    })
  })

interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
}

const itemsOf = <Item>(data: ReadonlyArray<Item>): string => data.map((item) => JSON.stringify(item)).join(",")

/** With `limit` one page; without it all of them, one after the other. */
export const replyList = <Item, Query extends ListQuery, E>(
  query: Query,
  list: (query: Query) => Effect.Effect<List<Item>, E, CurrentCaller>
): Effect.Effect<Reply<List<Item>>, E, CurrentCaller | Scope.Scope> => {
  if (query.limit !== undefined) return Effect.map(list(query), reply)
  const start: ListQuery = query
  return replyPieces(
    Stream.paginate(start, (position: ListQuery) =>
      Effect.map(list({ ...query, ...position, limit: maximumPageSize }), ({ data, nextCursor }) => {
        // A later page can be empty: what was on it may be gone by now.
        const begin = position === start ? '{"data":[' : data.length === 0 ? "" : ","
        const last = nextCursor === null
        const text = `${begin}${itemsOf(data)}${last ? '],"nextCursor":null}' : ""}`
        return [[{ text, last }], last ? Option.none() : Option.some({ cursor: nextCursor })]
      })
    )
  )
}
