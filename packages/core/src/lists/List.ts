/**
 * Lists of services, built from the pages of a port.
 */
import { Effect } from "effect"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type CursorKind, decodePosition, digestOf, encodePosition, invalidCursor, type Position } from "./Cursor.ts"
import { type List, maximumPageSize, type Page, sortedPageSize } from "./Page.ts"
import { jsonOf, withJson } from "./PageJson.ts"
import type { SortDirection, SortedPageRequest } from "./Sorting.ts"
import type { SortKey } from "./SortKey.ts"

interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: string
  readonly order?: SortDirection
}

/** One order of a list. `key` is undefined for the order of ids; `sort` is undefined for oldest first. */
interface Order<Item> {
  readonly kind: CursorKind
  readonly digest: number | null
  readonly key: SortKey<Item> | undefined
  readonly sort: { readonly by: string; readonly order: SortDirection } | undefined
}

/**
 * Digest of the order and the filters of a query, as cursors carry it. Null for the oldest first
 * without filters.
 */
export const queryDigest = ({
  cursor: _cursor,
  limit: _limit,
  order = "asc",
  sort: by = "createdAt",
  ...conditions
}: ListQuery): number | null => {
  const filters = Object.entries(conditions)
    .map(
      ([name, value]: [string, unknown]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value] as const
    )
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return by === "createdAt" && order === "asc" && filters.length === 0 ? null : digestOf([by, order, filters])
}

const orderOf = <Item>(
  kind: CursorKind,
  query: ListQuery,
  keys: Readonly<Record<string, SortKey<Item> | null>> | undefined
): Order<Item> => {
  const { order = "asc", sort: by = "createdAt" } = query
  const isOldestFirst = by === "createdAt" && order === "asc"
  return {
    kind,
    digest: keys === undefined ? null : queryDigest(query),
    key: keys?.[by] ?? undefined,
    sort: isOldestFirst ? undefined : { by, order }
  }
}

/** The items are read lazily: a page with JSON in the order of ids may never need them. */
const positionOf = <Item extends { readonly id: string }>(
  { key }: Order<Item>,
  page: Page<Item>
): Position | undefined => {
  const lastId = key === undefined ? jsonOf(page)?.lastId : undefined
  if (lastId !== undefined) return lastId === null ? undefined : { id: lastId, value: null }
  const last = page.items.at(-1)
  return last === undefined ? undefined : { id: last.id, value: key === undefined ? null : key.valueIn(last) }
}

/** A page in the form of the service. */
const listOf = <Item extends { readonly id: string }>(order: Order<Item>, page: Page<Item>): List<Item> => {
  const last = page.hasMore ? positionOf(order, page) : undefined
  const { digest, kind } = order
  const nextCursor = last === undefined ? null : encodePosition(kind, { ...last, digest })
  const json = jsonOf(page)
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
 * With `limit` one page, without it all pages in sequence. Ids and orders of ports are branded and
 * cursors are not, so `fetch` takes a request that fits every port. With `keys` the query chooses an
 * order, its other members are filters, and cursors belong to both.
 */
export const listPages = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  kind: CursorKind,
  query: ListQuery,
  fetch: (page: SortedPageRequest<never, never>) => Effect.Effect<Page<Item>, E, R>,
  keys?: Readonly<Record<string, SortKey<Item> | null>>
): Effect.fn.Return<List<Item>, E | ValidationFailed, R> {
  const order = orderOf(kind, query, keys)
  const { digest, key, sort } = order
  const start = yield* decodePosition(kind, query.cursor, digest)
  if (start !== null && key !== undefined && !key.isValue(start.value)) {
    return yield* new ValidationFailed({ faults: [invalidCursor] })
  }
  const fetchAfter = (after: Position | null, limit: number) => {
    const sorted = sort === undefined ? {} : { sort: { ...sort, value: after?.value ?? null } }
    return fetch({ after: after?.id ?? null, limit, ...sorted } as SortedPageRequest<never, never>)
  }
  if (query.limit !== undefined) return listOf(order, yield* fetchAfter(start, query.limit))
  const data: Array<Item> = []
  let after = start
  while (true) {
    const page = yield* fetchAfter(after, key === undefined ? maximumPageSize : sortedPageSize)
    for (const item of page.items) data.push(item)
    after = positionOf(order, page) ?? null
    if (!page.hasMore || after === null) return { data, nextCursor: null }
  }
})
