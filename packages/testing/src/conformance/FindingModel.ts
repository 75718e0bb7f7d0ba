/**
 * Model of search and order, and the comparison of an adapter with it.
 */
import type { Page, SortDirection, SortedPageRequest, SortKeys, SortValue } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { makeChoices } from "./CoverageSetup.ts"
import { chunksOf } from "./Expectations.ts"

export type Choices = ReturnType<typeof makeChoices>

/** Folds the letters of these cases, written without the table of the core. */
export const folded = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase().replaceAll("ł", "l")

/** Every word occurs in one of the texts. */
export const hasWords = (q: string | undefined, ...texts: ReadonlyArray<string | null>): boolean =>
  folded(q ?? "")
    .split(" ")
    .every((word) => texts.some((text) => folded(text ?? "").includes(word)))

const pieces = [
  "Süd",
  "sud",
  "SÜD\u2011",
  "Straße",
  "STRASSE",
  "Łódź",
  "ırmak",
  "Émile",
  "a",
  "B",
  "ä",
  "z",
  "%",
  "_",
  "\\",
  "😀",
  "ﬀ"
]

/** Names that differ in case, accents and code points, some of them equal when folded. */
export const aName = ({ below, of }: Choices): string =>
  Array.from({ length: 1 + below(3) }, () => of("z", ...pieces)).join(of(" ", ""))

/** A word or two, found in some of the names. */
export const aSearch = ({ below, of }: Choices): string =>
  Array.from({ length: 1 + below(2) }, () =>
    of("sud", "strass", "LODZ", "irm", "emile", "A", "b", "%", "_", "\\", "😀", "ff", "nowhere")
  ).join(" ")

export interface Sorting<By extends string> {
  readonly by: By
  readonly order: SortDirection
}

/** One of the orders. */
export const aSorting = <By extends string>({ of }: Choices, ...orders: readonly [By, ...Array<By>]): Sorting<By> => ({
  by: of(...orders),
  order: of<SortDirection>("asc", "desc")
})

/** Values of the model by which items are sorted, in place of those of the port. */
type Values<Item, By extends string> = { readonly [Name in By]: (item: Item) => SortValue }

/** Null comes last. */
const compare = (a: SortValue, b: SortValue): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b)
  const [left, right] = [[...a], [...b]].map((text) => text.map((character) => character.codePointAt(0) ?? 0))
  const differing = left?.findIndex((point, index) => point !== right?.[index]) ?? 0
  if (differing < 0) return a.length - b.length
  return (left?.[differing] ?? 0) - (right?.[differing] ?? -1)
}

/** The items in the order of the model. */
export const inOrder = <Item extends { readonly id: string }, By extends string>(
  items: ReadonlyArray<Item>,
  { by, order }: Sorting<By>,
  values: Values<Item, By>
): ReadonlyArray<Item> => {
  const ascending = items.toSorted((a, b) => compare(values[by](a), values[by](b)) || (a.id < b.id ? -1 : 1))
  return order === "asc" ? ascending : ascending.toReversed()
}

type List<Item, By extends string, E, R> = (page: SortedPageRequest<never, By>) => Effect.Effect<Page<Item>, E, R>

/** The request after an item. */
export const requestAfter = <Item extends { readonly id: string }, By extends string>(
  { by, order }: Sorting<By>,
  keys: SortKeys<Item, By>,
  after: Item | undefined,
  limit: number
): SortedPageRequest<never, By> => {
  const value = after === undefined ? null : (keys[by]?.valueIn(after) ?? null)
  // Ids of ports are branded.
  return { after: (after?.id ?? null) as never, limit, sort: { by, order, value } }
}

/** Expects the items in this order, in pages of `limit`. */
export const expectSorted = Effect.fnUntraced(function* <Item extends { readonly id: string }, By extends string, E, R>(
  list: List<Item, By, E, R>,
  sorting: Sorting<By>,
  keys: SortKeys<Item, By>,
  expected: ReadonlyArray<Item>,
  limit: number,
  what: string
): Effect.fn.Return<void, E, R> {
  const pages: Array<ReadonlyArray<Item>> = []
  let after: Item | undefined
  while (pages.length <= expected.length) {
    const page: Page<Item> = yield* list(requestAfter(sorting, keys, after, limit))
    pages.push(page.items)
    after = page.items.at(-1)
    if (!page.hasMore) break
  }
  assert.deepEqual(pages, chunksOf(expected, limit), `${what}, by ${sorting.by} ${sorting.order}, pages of ${limit}`)
})
