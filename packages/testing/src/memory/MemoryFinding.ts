/**
 * Search and order of lists in memory.
 */
import {
  type Page,
  type SortedPageRequest,
  type SortKeys,
  type SortValue,
  searchedText,
  searchedWords
} from "@solar-sites/core"
import type { DateTime } from "effect"
import { byId, pageOf, takePage } from "./MemoryDatabase.ts"

/** Every word occurs in one of the texts. */
export const isFound = (q: string | undefined, ...texts: ReadonlyArray<string | null>): boolean => {
  if (q === undefined) return true
  const text = searchedText(...texts)
  return searchedWords(q).every((word) => text.includes(word))
}

/** The instant is later, or there is none to compare with. */
export const isAfter = (instant: DateTime.Utc, after: DateTime.Utc | undefined): boolean =>
  after === undefined || instant.epochMilliseconds > after.epochMilliseconds

/** By code points, as bytes of UTF-8 are ordered. */
const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Null is greater than all other values. */
const compareValues = (a: SortValue, b: SortValue): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === "number" && typeof b === "number" ? a - b : compareTexts(`${a}`, `${b}`)
}

/** A page of the items in the requested order. */
export const sortedPageOf = <Item extends { readonly id: string }, By extends string>(
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
