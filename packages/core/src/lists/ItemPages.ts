/**
 * Pages of items in memory, for adapters that read all records of an organisation.
 */
import type { DateTime } from "effect"
import { searchedText, searchedWords } from "../input/FoldedText.ts"
import type { SortValue } from "./Cursor.ts"
import { type Page, type PageRequest, uncountedPageSize } from "./Page.ts"
import type { SortedPageRequest } from "./Sorting.ts"
import type { SortKeys } from "./SortKey.ts"

interface Identified {
  readonly id: string
}

/** Ascending by id. */
export const byId = (a: Identified, b: Identified): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Bytes of items as JSON. Stored items are replaced, not changed, and lists read the same ones again and again. */
const counted = new WeakMap<object, number>()

const bytesOf = (item: object): number => {
  const before = counted.get(item)
  if (before !== undefined) return before
  const bytes = Buffer.byteLength(JSON.stringify(item))
  counted.set(item, bytes)
  return bytes
}

/** The number of items after which a page has so many bytes. */
const boundedLimit = (items: ReadonlyArray<object>, limit: number, maximumBytes: number): number => {
  if (limit <= uncountedPageSize) return limit
  let bytes = 0
  for (const [index, item] of items.slice(0, limit).entries()) {
    bytes += bytesOf(item)
    if (bytes >= maximumBytes) return index + 1
  }
  return limit
}

/** The first `limit` of the sorted items, or fewer with `maximumBytes` (`MaximumPageBytes`). */
export const takePage = <Item extends object>(
  items: ReadonlyArray<Item>,
  limit: number,
  maximumBytes?: number
): Page<Item> => {
  const count = maximumBytes === undefined ? limit : boundedLimit(items, limit, maximumBytes)
  return { items: items.slice(0, count), hasMore: items.length > count }
}

/** A page of the items in ascending order of id. */
export const pageOf = <Item extends Identified>(
  items: Iterable<Item>,
  { after, limit }: PageRequest<string>,
  maximumBytes?: number
): Page<Item> => {
  const following = [...items].filter(({ id }) => after === null || id > after)
  return takePage(following.sort(byId), limit, maximumBytes)
}

/** Compares by code points, which is the order of bytes in UTF-8. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Null is greater than all other values. */
const compareValues = (a: SortValue, b: SortValue): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === "number" && typeof b === "number" ? a - b : compareTexts(`${a}`, `${b}`)
}

/** A page of the items in the requested order. */
export const sortedPageOf = <Item extends Identified, By extends string>(
  items: Iterable<Item>,
  { after, limit, sort }: SortedPageRequest<string, By>,
  keys: SortKeys<Item, By>,
  maximumBytes: number
): Page<Item> => {
  if (sort === undefined) return pageOf(items, { after, limit }, maximumBytes)
  const direction = sort.order === "asc" ? 1 : -1
  const key = keys[sort.by]
  const placed = Array.from(items, (item) => ({ item, id: item.id, value: key?.valueIn(item) ?? null }))
  const compare = (a: { id: string; value: SortValue }, b: { id: string; value: SortValue }) =>
    direction * (compareValues(a.value, b.value) || byId(a, b))
  const following = after === null ? placed : placed.filter((one) => compare(one, { id: after, value: sort.value }) > 0)
  return takePage(
    following.sort(compare).map(({ item }) => item),
    limit,
    maximumBytes
  )
}

/** Every word occurs in one of the texts. */
export const isFound = (q: string | undefined, ...texts: ReadonlyArray<string | null>): boolean => {
  if (q === undefined) return true
  const text = searchedText(...texts)
  return searchedWords(q).every((word) => text.includes(word))
}

/** The instant is later, or there is none to compare with. */
export const isAfter = (instant: DateTime.Utc, after: DateTime.Utc | undefined): boolean =>
  after === undefined || instant.epochMilliseconds > after.epochMilliseconds
