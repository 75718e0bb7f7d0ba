import { describe, expect, it } from "@effect/vitest"
import type { Site } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Effect } from "effect"
import { listPages } from "../../src/lists/List.ts"
import type { SortedPageRequest } from "../../src/lists/Sorting.ts"
import { byText } from "../../src/lists/SortKey.ts"

const keys = { createdAt: null, siteName: byText<Site>(({ siteName }) => siteName) }

/** The limits of the pages that a complete list of 9,000 sites reads. */
const limitsOf = (sort: keyof typeof keys) =>
  Effect.gen(function* () {
    const site = aSite()
    const limits: Array<number> = []
    let left = 9_000
    const fetch = ({ limit }: SortedPageRequest<never, never>) =>
      Effect.sync(() => {
        limits.push(limit)
        const items = Array.from({ length: Math.min(limit, left) }, () => site)
        left -= items.length
        return { items, hasMore: left > 0 }
      })
    const { data } = yield* listPages("sites", { sort }, fetch, keys)
    expect(data.length).toBe(9_000)
    return limits
  })

describe("a complete list", () => {
  it.effect("reads few pages where a store sorts all items for each", () =>
    Effect.gen(function* () {
      expect(yield* limitsOf("createdAt")).toEqual(Array.from({ length: 9 }, () => 1_000))
      expect(yield* limitsOf("siteName")).toEqual([4_000, 4_000, 4_000])
    })
  )
})
