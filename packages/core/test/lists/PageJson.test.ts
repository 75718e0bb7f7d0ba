import { describe, expect, it } from "@effect/vitest"
import { decodeCursor, jsonOf, type Page, type Site, withJson } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Effect } from "effect"
import { listPages } from "../../src/lists/List.ts"

const [first, second] = [aSite(), aSite()]

/** A page that knows its JSON, and how often its items were looked at. */
const page = (hasMore: boolean) => {
  const looks = { count: 0 }
  const known: Page<Site> = {
    get items() {
      looks.count += 1
      return [first, second]
    },
    hasMore
  }
  return { looks, page: withJson(known, { texts: () => ["1", "2"], lastId: second.id }) }
}

describe("a page that knows its JSON", () => {
  it.effect("carries the JSON, and reads items only when they are accessed", () =>
    Effect.gen(function* () {
      const { looks, page: more } = page(true)
      const list = yield* listPages("sites", { limit: 2 }, () => Effect.succeed(more))
      expect(jsonOf(list)?.texts()).toEqual(["1", "2"])
      expect(yield* decodeCursor("sites", list.nextCursor ?? "")).toBe(second.id)
      expect(looks.count).toBe(0)
      expect(list.data).toEqual([first, second])
      expect(looks.count).toBe(1)
      const last = yield* listPages("sites", { limit: 2 }, () => Effect.succeed(page(false).page))
      expect(last.nextCursor).toBe(null)
    })
  )

  it.effect("gives its items to a list of several pages", () =>
    Effect.gen(function* () {
      const pages = [page(true).page, page(false).page]
      const list = yield* listPages("sites", {}, () => Effect.succeed(pages.shift() ?? expect.unreachable()))
      expect(list).toEqual({ data: [first, second, first, second], nextCursor: null })
      expect(jsonOf(list)).toBe(undefined)
    })
  )

  it("belongs to the page itself, and to no copy that may have other items", () => {
    const { page: one } = page(false)
    expect(jsonOf({ ...one, items: [first] })).toBe(undefined)
    expect(Object.keys(one)).toEqual(["items", "hasMore"])
  })
})
