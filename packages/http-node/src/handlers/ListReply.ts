/**
 * Lists as JSON, streamed so that memory stays flat. The first page is fetched before the response
 * begins, so that its failure is still a problem document. A later failure cuts the connection:
 * a truncated list must not look complete.
 */
import {
  type CurrentCaller,
  firstPageSize,
  followingPageSize,
  jsonOf,
  type List,
  type PortfolioPart,
  sortedPageSize
} from "@solar-sites/core"
import { Cause, Effect, Option, Pull, type Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonData, jsonItems, jsonText } from "../pipeline/JsonText.ts"
import { inChunks, jsonMediaType, type Reply, reply } from "../pipeline/Reply.ts"

/** A part of the text of a JSON document; `last` closes it. */
interface Piece {
  readonly text: string
  readonly last: boolean
}

const encoder = new TextEncoder()

const logged = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Stream.tapCause(stream, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("A list broke off", cause)
  )

/** A stream of one text, which is released once it has been read. */
const once = (text: string): Stream.Stream<string> => {
  let left: ReadonlyArray<string> = [text]
  return Stream.suspend(() => {
    const texts = left
    left = []
    return Stream.fromArray(texts)
  })
}

/** A response with `begin`, then `rest`. */
export const replyStream = <A, E>(
  begin: string,
  rest: Stream.Stream<string, E, CurrentCaller>,
  options: { readonly contentType: string; readonly headers?: Readonly<Record<string, string>> } = {
    contentType: jsonMediaType
  }
): Effect.Effect<Reply<A>, never, CurrentCaller> =>
  // The body is read after the handler has ended, so the stream keeps the context of the request.
  Effect.map(Effect.context<CurrentCaller>(), (context) => {
    const texts = Stream.concat(once(begin), logged(Stream.provideContext(rest, context)))
    return HttpServerResponse.stream(
      Stream.flatMap(texts, (text) => inChunks(encoder.encode(text))),
      options
    )
  })

/** One text when the first chunk of pieces is the whole document, a stream otherwise. */
const replyPieces = <A, E>(
  pieces: Stream.Stream<Piece, E, CurrentCaller>
): Effect.Effect<Reply<A>, E, CurrentCaller | Scope.Scope> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(pieces)
    const first = yield* Pull.catchDone(pull, () => Effect.die(new Error("The stream of a document is empty")))
    const begin = first.map(({ text }) => text).join("")
    if (first.at(-1)?.last === true) return HttpServerResponse.text(begin, { contentType: jsonMediaType })
    return yield* replyStream<A, E>(
      begin,
      Stream.map(Stream.fromPull(Effect.succeed(pull)), ({ text }) => text)
    )
  })

export interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: string
}

/** The texts of the pages from this cursor on. */
export const followingPages = <Item, Query extends ListQuery, E>(
  query: Query,
  list: (query: Query) => Effect.Effect<List<Item>, E, CurrentCaller>,
  cursor: string,
  textOf: (page: List<Item>) => string
): Stream.Stream<string, E, CurrentCaller> =>
  Stream.paginate(cursor, (cursor) =>
    Effect.map(
      list({ ...query, cursor, limit: query.sort === undefined ? followingPageSize : sortedPageSize }),
      (page) => [[textOf(page)], Option.fromNullOr(page.nextCursor)]
    )
  )

/** One page with `limit`, all pages without. */
export const replyList = <Item, Query extends ListQuery, E>(
  query: Query,
  list: (query: Query) => Effect.Effect<List<Item>, E, CurrentCaller>
): Effect.Effect<Reply<List<Item>>, E, CurrentCaller> => {
  if (query.limit !== undefined) return Effect.map(list(query), reply)

  const textOf = (page: List<Item>) => {
    const items = jsonData(page)
    // A later page can be empty: its items may have been deleted since.
    const text = items === "" ? "" : `,${items}`
    return page.nextCursor === null ? `${text}],"nextCursor":null}` : text
  }
  return Effect.flatMap(list({ ...query, limit: firstPageSize }), (first) =>
    first.nextCursor === null
      ? Effect.succeed(reply(first))
      : replyStream(`{"data":[${jsonData(first)}`, followingPages(query, list, first.nextCursor, textOf))
  )
}

interface Progress {
  readonly portfolios: number
  /** Whether the current portfolio has sites in the text. */
  readonly hasSites: boolean
}

const write = ({ hasSites, portfolios }: Progress, part: PortfolioPart): readonly [Progress, ReadonlyArray<Piece>] => {
  switch (part._tag) {
    case "Portfolio": {
      const before = portfolios === 0 ? '{"data":[' : "]},"
      // The object of the portfolio, without its closing brace.
      const text = `${before}${jsonText(part.portfolio).slice(0, -1)},"sites":[`
      return [{ portfolios: portfolios + 1, hasSites: false }, [{ text, last: false }]]
    }
    case "Sites": {
      const items = jsonOf(part)?.texts().join(",") ?? jsonItems(part.sites)
      return [{ portfolios, hasSites: true }, [{ text: `${hasSites ? "," : ""}${items}`, last: false }]]
    }
    case "End": {
      const before = portfolios === 0 ? '{"data":[' : "]}"
      return [
        { portfolios, hasSites },
        [{ text: `${before}],"nextCursor":${JSON.stringify(part.nextCursor)}}`, last: true }]
      ]
    }
  }
}

/** Portfolios with their sites. */
export const replyWithSites = <A, E>(
  parts: Stream.Stream<PortfolioPart, E, CurrentCaller>
): Effect.Effect<Reply<A>, E, CurrentCaller | Scope.Scope> =>
  replyPieces(Stream.mapAccum(parts, (): Progress => ({ portfolios: 0, hasSites: false }), write))
