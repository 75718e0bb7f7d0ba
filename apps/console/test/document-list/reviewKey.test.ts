import { describe, expect, it } from "vitest"
import { indexAfter, indexOnLeave, reviewAction } from "../../src/document-list/reviewKey.ts"

const documents = [
  { id: "lease", status: "uploaded" },
  { id: "invoice", status: "approved" },
  { id: "layout", status: "uploaded" }
] as const

const inList = (at: number) => ({ documents, at, isBeside: false })
const beside = (at: number) => ({ documents, at, isBeside: true })
const press = (key: string, place: ReturnType<typeof inList>, repeat = false) => reviewAction({ key, repeat }, place)

describe("a key of the list of documents", () => {
  it("moves, from none to the first document", () => {
    expect(["j", "J", "k", "ArrowDown", "ArrowUp"].map((key) => press(key, inList(1)))).toEqual(
      [2, 2, 0, 2, 0].map((index) => ({ act: "go", index }))
    )
    expect(["j", "k"].map((key) => press(key, inList(-1)))).toEqual([
      { act: "go", index: 0 },
      { act: "go", index: 0 }
    ])
    expect(press("j", beside(0), true)).toEqual({ act: "go", index: 1 })
    expect(indexAfter(inList(2), -1)).toBe(1)
  })

  it("scrolls with the arrows while no document has the focus, and beside the list", () => {
    expect([press("ArrowDown", inList(-1)), press("ArrowUp", beside(1))]).toEqual([undefined, undefined])
  })

  it("decides on a document that waits for it, once while it is held down", () => {
    const [document] = documents
    expect(press("a", inList(0))).toEqual({ act: "approve", document })
    expect(press("r", beside(0))).toEqual({ act: "reject", document })
    for (const key of ["a", "r", "x", "z"]) expect(press(key, inList(0), true)).toBeUndefined()
    for (const key of ["a", "r"]) expect(press(key, inList(1))).toBeUndefined()
    for (const key of ["a", "r", "x"]) expect(press(key, inList(-1))).toBeUndefined()
  })

  it("selects in the list alone, and undoes everywhere", () => {
    expect(press("x", inList(1))).toEqual({ act: "select", document: documents[1] })
    expect(press("x", beside(1))).toBeUndefined()
    expect([press("z", inList(-1)), press("z", beside(0))]).toEqual([{ act: "undo" }, { act: "undo" }])
  })

  it("does nothing else", () => {
    for (const key of ["b", "Enter", " ", "ArrowLeft", "constructor"]) expect(press(key, inList(0))).toBeUndefined()
  })
})

describe("a document that leaves the list", () => {
  it("is followed by the next one, at the end by the one before, and closes beside the list", () => {
    expect([indexOnLeave(inList(0)), indexOnLeave(inList(2)), indexOnLeave(inList(-1))]).toEqual([1, 1, 0])
    expect([indexOnLeave(beside(0)), indexOnLeave(beside(2))]).toEqual([1, "close"])
  })
})
