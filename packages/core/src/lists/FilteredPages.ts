/**
 * Pages of the items that a condition holds for, of a port that does not know the condition.
 */
import { Effect } from "effect"
import type { Page, PageRequest } from "./Page.ts"

/** Reads pages until one more item than `limit` is found, so that `hasMore` counts no other items. */
export const filteredPage = Effect.fnUntraced(function* <Id extends string, Item extends { readonly id: Id }, E, R>(
  { after, limit }: PageRequest<Id>,
  isShown: (item: Item) => boolean,
  fetch: (page: PageRequest<Id>) => Effect.Effect<Page<Item>, E, R>
): Effect.fn.Return<Page<Item>, E, R> {
  const items: Array<Item> = []
  let last = after
  while (true) {
    const page = yield* fetch({ after: last, limit })
    for (const item of page.items) if (isShown(item)) items.push(item)
    last = page.items.at(-1)?.id ?? last
    if (items.length > limit || !page.hasMore) return { items: items.slice(0, limit), hasMore: items.length > limit }
  }
})
