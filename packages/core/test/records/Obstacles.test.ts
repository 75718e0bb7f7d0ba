import {
  type AnyKind,
  type Change,
  fullBounds,
  memberText,
  obstacleTo,
  Revision,
  type StoredRecords,
  type Write
} from "@solar-sites/core"
import { DateTime, Schema } from "effect"
import { describe, expect, it } from "vitest"

interface Item {
  readonly id: string
  readonly name: string | null
  readonly shelf: string | null
  readonly isOpen: boolean
}

const members = Schema.Struct({ id: Schema.String })
const shelfKind: AnyKind = { name: "shelf", members, unique: [], references: [], bounds: [] }
const itemKind: AnyKind = {
  name: "item",
  members,
  unique: ["name"],
  references: [{ member: "shelf", kind: "shelf" }],
  // The records of the kind are items.
  bounds: [{ name: "open", maximum: 2, holds: (item) => (item as Item).isOpen }]
}
const at = DateTime.makeUnsafe(0)
const anItem = (id: string, given: Partial<Item> = {}): Item => ({
  id,
  name: null,
  shelf: null,
  isOpen: false,
  ...given
})
const shelf = { id: "s1" }

const stores = (items: ReadonlyArray<Item>): StoredRecords => {
  const recordsOf = ({ name }: Pick<AnyKind, "name">): ReadonlyArray<{ readonly id: string }> =>
    name === "item" ? items : [shelf]
  return {
    revisionOf: (kind, id) => (recordsOf(kind).some((one) => one.id === id) ? Revision(`of ${id}`) : null),
    idsBy: (kind, member, values) =>
      recordsOf(kind).flatMap((one) => (values.has(memberText(one, member) ?? "") ? [one.id] : [])),
    recordsOf
  }
}

const insertion = (after: Item): Write => ({ kind: itemKind, id: after.id, before: null, after })
const stored = (record: { readonly id: string }, revision = `of ${record.id}`) => ({
  record,
  revision: Revision(revision)
})
const update = (before: Item, after: Partial<Item>): Write => ({
  kind: itemKind,
  id: before.id,
  before: stored(before),
  after: { ...before, ...after }
})
const removal = (before: { readonly id: string }, kind = itemKind): Write => ({
  kind,
  id: before.id,
  before: stored(before),
  after: null
})

const conflict = (items: ReadonlyArray<Item>, writes: ReadonlyArray<Write>, reads: Change["reads"] = []) => {
  const origin = { id: "", occurredAt: at, actor: { userId: null, apiKeyId: null, keyPrefix: null }, requestId: null }
  // No event is made.
  const change = { writes, reads, events: [], origin, at } as unknown as Change
  return obstacleTo(stores(items), change, [shelfKind, itemKind])
}

describe("against a change stands", () => {
  const a = anItem("a", { name: "A" })
  const b = anItem("b", { name: "B" })

  it("nothing when records are as they were", () => {
    expect(conflict([a], [update(a, { name: "C" }), insertion(b)])).toBeUndefined()
  })

  it("a record with another revision, and one that is there or gone", () => {
    expect(conflict([a], [{ ...update(a, {}), before: stored(a, "older") } as Write])?.conflict).toBe("item a")
    expect(conflict([a], [insertion(a)])?.conflict).toBe("item a")
    expect(conflict([], [update(a, {})])?.conflict).toBe("item a")
  })

  it("a read record that has changed, has come or has gone", () => {
    const read = (id: string, revision: string | null) => [
      { kind: itemKind, id, revision: revision === null ? null : Revision(revision) }
    ]
    expect(conflict([a], [], read("a", "of a"))).toBeUndefined()
    expect(conflict([a], [], read("b", null))).toBeUndefined()
    expect(conflict([a], [], read("a", "older"))?.conflict).toBe("item a")
    expect(conflict([a], [], read("a", null))?.conflict).toBe("item a")
    expect(conflict([a], [], read("b", "of b"))?.conflict).toBe("item b")
  })

  it("a unique value of a stored or of another written record", () => {
    expect(conflict([a], [insertion({ ...b, name: "A" })])?.conflict).toBe("name")
    expect(conflict([], [insertion({ ...b, name: "A" }), insertion(a)])?.conflict).toBe("name")
  })

  it("no unique value that the change takes away or swaps, and no null", () => {
    expect(conflict([a], [insertion({ ...b, name: "A" }), removal(a)])).toBeUndefined()
    expect(conflict([a, b], [update(a, { name: "B" }), update(b, { name: "A" })])).toBeUndefined()
    expect(conflict([anItem("c")], [insertion(anItem("d"))])).toBeUndefined()
  })

  it("a missing referenced record", () => {
    expect(conflict([], [insertion(anItem("c", { shelf: "s1" }))])).toBeUndefined()
    expect(conflict([], [insertion(anItem("c", { shelf: "s2" }))])?.conflict).toBe("shelf")
    expect(conflict([], [insertion(anItem("c", { shelf: "s1" })), removal(shelf, shelfKind)])?.conflict).toBe("shelf")
  })

  it("a record that refers to a removed one, unless it is removed or changed as well", () => {
    const on = anItem("c", { shelf: "s1" })
    expect(conflict([on], [removal(shelf, shelfKind)])?.conflict).toBe("shelf")
    expect(conflict([on], [removal(shelf, shelfKind), removal(on)])).toBeUndefined()
    expect(conflict([on], [removal(shelf, shelfKind), update(on, { shelf: null })])).toBeUndefined()
  })

  it("a full bound, also for records that change", () => {
    const open = [anItem("x", { isOpen: true }), anItem("y", { isOpen: true })] as const
    expect(conflict([open[0]], [insertion(open[1])])).toBeUndefined()
    expect(conflict(open, [insertion(anItem("z", { isOpen: true }))])?.full).toBe("open")
    expect(conflict([...open, a], [update(a, { isOpen: true })])?.full).toBe("open")
    expect(conflict([...open, a], [update(a, { isOpen: true }), update(open[0], { isOpen: false })])).toBeUndefined()
    expect(fullBounds(stores(open), itemKind, at)).toEqual(["open"])
    expect(fullBounds(stores([open[0]]), itemKind, at)).toEqual([])
  })
})
