/**
 * Random texts, conditions and orders, and the comparison of an adapter with the lists of core.
 */
import type { Page, SortDirection, SortedPageRequest, SortKeys } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { makeChoices } from "./CoverageSetup.ts"

export type Choices = ReturnType<typeof makeChoices>

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

/** A value for every condition. The type keeps them complete. */
export type AllConditions<Conditions> = { readonly [Member in keyof Conditions]-?: NonNullable<Conditions[Member]> }

/** Some of the conditions. */
const conditionsOf = <Conditions extends object>(
  all: AllConditions<Conditions>,
  isChosen: (index: number) => boolean
) =>
  // Members of all conditions.
  Object.fromEntries(Object.entries(all).filter((_, index) => isChosen(index))) as Partial<Conditions>

interface Sorting<By extends string> {
  readonly by: By
  readonly order: SortDirection
}

/** A query of a list. `sorting` is null for the order of ids. */
interface Query<Conditions, By extends string> {
  readonly conditions: Partial<Conditions>
  readonly sorting: Sorting<By> | null
  readonly limit: number
}

/** The query of a round: each order of all records first, then each condition alone, then random ones. */
export const aQuery = <Conditions extends object, By extends string>(
  { below, of }: Choices,
  round: number,
  all: AllConditions<Conditions>,
  orders: readonly [By, ...Array<By>]
): Query<Conditions, By> => {
  const by = orders[Math.floor(round / 2)]
  if (by !== undefined) return { conditions: {}, sorting: { by, order: round % 2 ? "desc" : "asc" }, limit: 1_000 }
  const alone = round - 2 * orders.length
  const isAlone = alone < Object.keys(all).length
  return {
    conditions: conditionsOf(all, (index) => (isAlone ? index === alone : below(4) === 0)),
    sorting: isAlone ? null : of(null, { by: of(...orders), order: of<SortDirection>("asc", "desc") }),
    limit: of(1 + below(6), 1_000)
  }
}

type Request<By extends string> = SortedPageRequest<never, By>

/** The request after an item. */
export const requestAfter = <Item extends { readonly id: string }, By extends string>(
  sorting: Sorting<By> | null,
  keys: SortKeys<Item, By>,
  item: Item | undefined,
  limit: number
): Request<By> => {
  // Ids of ports are branded.
  const after = (item?.id ?? null) as never
  if (sorting === null) return { after, limit }
  const value = item === undefined ? null : (keys[sorting.by]?.valueIn(item) ?? null)
  return { after, limit, sort: { ...sorting, value } }
}

/** Expects the pages of a list to be those of the list of core. */
export const expectPagesOf = Effect.fnUntraced(function* <
  Item extends { readonly id: string },
  By extends string,
  E,
  R
>(
  list: (page: Request<By>) => Effect.Effect<Page<Item>, E, R>,
  ofCore: (page: Request<By>) => Page<Item>,
  keys: SortKeys<Item, By>,
  { conditions, limit, sorting }: Query<object, By>
): Effect.fn.Return<void, E, R> {
  let after: Item | undefined
  while (true) {
    const request = requestAfter(sorting, keys, after, limit)
    const { hasMore, items } = yield* list(request)
    const where = `with ${JSON.stringify(conditions)}, page ${JSON.stringify(request)}`
    assert.deepEqual({ hasMore, items }, ofCore(request), where)
    after = items.at(-1)
    if (!hasMore) return
  }
})
