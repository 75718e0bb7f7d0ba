/**
 * How a service answers a list from the pages of its port.
 */
import { Effect } from "effect"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import {
  type CursorKind,
  decodeCursor,
  encodeCursor,
  type List,
  maximumPageSize,
  type Page,
  type PageRequest
} from "./Page.ts"

/**
 * With `limit` one page; without it all pages, one after the other. The ids of
 * a port are brands that a cursor cannot know, so `fetch` is handed a request
 * that fits every brand.
 */
export const listPages = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  kind: CursorKind,
  query: { readonly limit?: number; readonly cursor?: string },
  fetch: (page: PageRequest<never>) => Effect.Effect<Page<Item>, E, R>
): Effect.fn.Return<List<Item>, E | ValidationFailed, R> {
  let after = yield* decodeCursor(kind, query.cursor)
  const data: Array<Item> = []
  while (true) {
    const page = yield* fetch({ after: after as never, limit: query.limit ?? maximumPageSize })
    for (const item of page.items) data.push(item)
    after = data.at(-1)?.id ?? null
    if (!page.hasMore || after === null) return { data, nextCursor: null }
    if (query.limit !== undefined) return { data, nextCursor: encodeCursor(kind, after) }
  }
})
