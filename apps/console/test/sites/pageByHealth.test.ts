import { describe, expect, it } from "vitest"
import type { Health } from "../../src/health/Health.ts"
import type { Paging } from "../../src/lists/useListQuery.ts"
import { pageByHealth } from "../../src/sites/pageByHealth.ts"

/** Lists of one health each; a cursor is the index of the next item. */
const readerOf = (lists: Partial<Record<Health, ReadonlyArray<string>>>) => {
  const read = async (health: Health, { cursor = "0", limit }: Paging) => {
    const all = lists[health] ?? []
    const end = Number(cursor) + limit
    return { data: all.slice(Number(cursor), end), nextCursor: end < all.length ? String(end) : null }
  }
  /** All pages. */
  return async (limit: number, descending = false) => {
    const pages: Array<ReadonlyArray<string>> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof pageByHealth<string>>> = await pageByHealth(read, descending, {
        limit,
        ...(cursor === "" ? {} : { cursor })
      })
      pages.push(page.data)
      cursor = page.nextCursor
    }
    return pages
  }
}

describe("a list in the order of health", () => {
  const lists = { expired: ["a", "b", "c"], expiring: ["d"], complete: ["e", "f"] }

  it("has the most urgent items first, and the others behind them when it is reversed", async () => {
    const pages = readerOf(lists)
    expect(await pages(50)).toEqual([["a", "b", "c", "d", "e", "f"]])
    expect(await pages(50, true)).toEqual([["e", "f", "d", "a", "b", "c"]])
  })

  it.each([
    [1, ["a", "b", "c", "d", "e", "f"]],
    [2, ["ab", "cd", "ef"]],
    [3, ["abc", "def"]],
    [4, ["abcd", "ef"]]
  ])("has every item once on full pages of %d", async (limit, expected) =>
    expect((await readerOf(lists)(limit)).map((page) => page.join(""))).toEqual(expected)
  )

  it("is one empty page without items", async () => expect(await readerOf({})(2)).toEqual([[]]))
})
