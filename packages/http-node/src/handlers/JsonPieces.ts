/**
 * Lists of any length with flat memory: JSON written piece by piece. The first
 * piece is fetched before the answer begins, so that a failure is still a
 * problem; a later one cuts the connection, since half a list must never look
 * like a whole one.
 */
import { type CurrentCaller, firstPageSize, followingPageSize, type List } from "@solar-sites/core"
import { Cause, Effect, Option, Pull, type Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { inPieces } from "./Pieces.ts"
import { jsonMediaType, type Reply, reply } from "./Reply.ts"
import { jsonData } from "./Wire.ts"

/** Some of the text of a JSON document; `last` closes it. */
export interface Piece {
  readonly text: string
  readonly last: boolean
}

const encoder = new TextEncoder()

const logged = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Stream.tapCause(stream, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("A list broke off", cause)
  )

/** A stream of one text that is given once, and not kept for as long as the stream is read. */
const taken = (text: string): Stream.Stream<string> => {
  let left: ReadonlyArray<string> = [text]
  return Stream.suspend(() => {
    const given = left
    left = []
    return Stream.fromArray(given)
  })
}

const replyStream = <A, E>(
  begin: string,
  rest: Stream.Stream<string, E, CurrentCaller>
): Effect.Effect<Reply<A>, never, CurrentCaller> =>
  // The body is read after the handler has ended, so it takes along the caller and all else that is known of the request.
  Effect.map(Effect.context<CurrentCaller>(), (context) => {
    const texts = Stream.concat(taken(begin), logged(Stream.provideContext(rest, context)))
    return HttpServerResponse.stream(
      Stream.flatMap(texts, (text) => inPieces(encoder.encode(text))),
      { contentType: jsonMediaType }
    )
  })

/** Answers a document: at once when its first chunk is all of it, and as a stream otherwise. */
export const replyPieces = <A, E>(
  pieces: Stream.Stream<Piece, E, CurrentCaller>
): Effect.Effect<Reply<A>, E, CurrentCaller | Scope.Scope> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(pieces)
    const first = yield* Pull.catchDone(pull, () => Effect.die(new Error("A document without a piece")))
    const begin = first.map(({ text }) => text).join("")
    if (first.at(-1)?.last === true) return HttpServerResponse.text(begin, { contentType: jsonMediaType })
    return yield* replyStream<A, E>(
      begin,
      Stream.map(Stream.fromPull(Effect.succeed(pull)), ({ text }) => text)
    )
  })

interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** With `limit` one page; without it all of them, one after the other. */
export const replyList = <Item, Query extends ListQuery, E>(
  query: Query,
  list: (query: Query) => Effect.Effect<List<Item>, E, CurrentCaller>
): Effect.Effect<Reply<List<Item>>, E, CurrentCaller> => {
  if (query.limit !== undefined) return Effect.map(list(query), reply)

  const following = (cursor: string) =>
    Stream.paginate(cursor, (cursor) =>
      Effect.map(list({ ...query, cursor, limit: followingPageSize }), (page) => {
        const { nextCursor } = page
        const items = jsonData(page)
        // A later page can be empty: what was on it may be gone by now.
        const text = items === "" ? "" : `,${items}`
        return nextCursor === null
          ? [[`${text}],"nextCursor":null}`], Option.none()]
          : [[text], Option.some(nextCursor)]
      })
    )
  return Effect.flatMap(list({ ...query, limit: firstPageSize }), (first) =>
    first.nextCursor === null
      ? Effect.succeed(reply(first))
      : replyStream(`{"data":[${jsonData(first)}`, following(first.nextCursor))
  )
}
