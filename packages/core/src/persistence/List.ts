/**
 * Lists of services, built from the pages of a port.
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
import { jsonOf, withJson } from "./PageJson.ts"

/**
 * A page in the form of the service. The items are read lazily: a page with JSON may never need
 * them.
 */
const listOf = <Item extends { readonly id: string }>(kind: CursorKind, page: Page<Item>): List<Item> => {
  const json = jsonOf(page)
  const lastId = json === undefined ? (page.items.at(-1)?.id ?? null) : json.lastId
  const nextCursor = page.hasMore && lastId !== null ? encodeCursor(kind, lastId) : null
  if (json === undefined) return { data: page.items, nextCursor }
  const list = {
    get data() {
      return page.items
    },
    nextCursor
  }
  return withJson(list, json)
}

/**
 * With `limit` one page, without it all pages in sequence. Ids of ports are branded and cursors are
 * not, so `fetch` takes a request that fits every brand.
 */
export const listPages = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  kind: CursorKind,
  query: { readonly limit?: number; readonly cursor?: string },
  fetch: (page: PageRequest<never>) => Effect.Effect<Page<Item>, E, R>
): Effect.fn.Return<List<Item>, E | ValidationFailed, R> {
  const start = yield* decodeCursor(kind, query.cursor)
  const { limit } = query
  if (limit !== undefined) return listOf(kind, yield* fetch({ after: start as never, limit }))
  const data: Array<Item> = []
  let after = start
  while (true) {
    const { hasMore, items } = yield* fetch({ after: after as never, limit: maximumPageSize })
    for (const item of items) data.push(item)
    after = data.at(-1)?.id ?? null
    if (!hasMore || after === null) return { data, nextCursor: null }
  }
})
