import { describe, expect, it } from "vitest"
import { readPages } from "../../src/lists/readPages.ts"

const pages = ["a", "b", "c"]
const pageAt = (cursor = "a") => ({
  data: [`${cursor}1`, `${cursor}2`],
  nextCursor: pages[pages.indexOf(cursor) + 1] ?? null
})

/** What a reader has got, and where it goes on. */
const makeReader = () => {
  const read: Array<string> = []
  let from: string | undefined
  const onPage = (items: ReadonlyArray<string>, nextCursor: string | null) => {
    read.push(...items)
    from = nextCursor ?? undefined
  }
  return { read, onPage, from: () => from }
}

describe("reading a list to its end", () => {
  it("hands out each page", async () => {
    const { onPage, read } = makeReader()
    const { signal } = new AbortController()
    await readPages(async (cursor) => pageAt(cursor), { from: undefined, signal, onPage })
    expect(read).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"])
  })

  it("goes on after a failure, without losing or repeating a page", async () => {
    const { from, onPage, read } = makeReader()
    const { signal } = new AbortController()
    let failures = 1
    const readPage = async (cursor: string | undefined) => {
      if (cursor === "b" && failures-- > 0) throw new TypeError("no connection")
      return pageAt(cursor)
    }
    await expect(readPages(readPage, { from: undefined, signal, onPage })).rejects.toThrow("no connection")
    expect(read).toEqual(["a1", "a2"])
    await readPages(readPage, { from: from(), signal, onPage })
    expect(read).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"])
  })

  it("hands out no page after a stop", async () => {
    const { from, onPage, read } = makeReader()
    const stopping = new AbortController()
    const readPage = async (cursor: string | undefined) => {
      if (cursor === "b") stopping.abort()
      return pageAt(cursor)
    }
    await readPages(readPage, { from: undefined, signal: stopping.signal, onPage })
    expect([read, from()]).toEqual([["a1", "a2"], "b"])
  })
})
