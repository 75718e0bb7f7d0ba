/**
 * A list in the order of health, the most urgent first, from lists of one health each. Its cursor names the health
 * and the place in the list of it.
 */
import { type Health, healths } from "../health/Health.ts"
import type { Paging } from "../lists/useListQuery.ts"

interface PageOf<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

type ReadHealth<Item> = (health: Health, paging: Paging) => Promise<PageOf<Item>>

const separator = " "

export const pageByHealth = async <Item>(
  read: ReadHealth<Item>,
  descending: boolean,
  { cursor = "", limit }: Paging
): Promise<PageOf<Item>> => {
  const order = descending ? healths.toReversed() : healths
  const [begun = "", ...place] = cursor.split(separator)
  let within = place.join(separator)
  const data: Array<Item> = []
  for (const health of order.slice(Math.max(0, order.map(String).indexOf(begun)))) {
    const left = limit - data.length
    // A full page looks for one more item, so that the last page is no empty one.
    const page = await read(health, { limit: Math.max(left, 1), ...(within === "" ? {} : { cursor: within }) })
    within = ""
    if (left === 0 && page.data.length > 0) return { data, nextCursor: `${health}${separator}` }
    data.push(...page.data)
    if (page.nextCursor !== null) return { data, nextCursor: `${health}${separator}${page.nextCursor}` }
  }
  return { data, nextCursor: null }
}
