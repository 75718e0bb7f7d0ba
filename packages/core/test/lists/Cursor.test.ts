import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { encodeChecked } from "../../src/input/Crc32.ts"
import { decodePosition, digestOf, encodePosition, positionIn, type SortValue } from "../../src/lists/Cursor.ts"

const id = "0193e6f4-1c2d-7a3b-8c4d-5e6f708192a3"
const digest = digestOf({ order: "name" })
const cursorOf = (value: SortValue) => encodePosition("sites", { id, value, digest })

const detailOf = (kind: "sites" | "portfolios", cursor: string, expected: number | null) => {
  const result = Effect.runSync(Effect.result(decodePosition(kind, cursor, expected)))
  return Result.isFailure(result) ? result.failure.faults : result.success
}

describe("a cursor with an order", () => {
  it("has the position of the last item, whatever it is sorted by", () => {
    for (const value of ["Long Meadow", "", 17, 0, null]) {
      expect(positionIn("sites", cursorOf(value))).toEqual({ id, value, digest })
      expect(detailOf("sites", cursorOf(value), digest)).toEqual({ id, value, digest })
    }
    expect(positionIn("sites", encodePosition("sites", { id, value: null, digest: null }))).toEqual({
      ...{ id, value: null, digest: null }
    })
  })

  it("is refused with another order, and for another list", () => {
    const code = "invalid_cursor"
    const detail = "must be a nextCursor of this list, with the same order and the same filters"
    expect(detailOf("sites", cursorOf("a"), digest + 1)).toEqual([{ pointer: "/cursor", code, detail }])
    expect(detailOf("portfolios", cursorOf("a"), digest)).toEqual([
      { pointer: "/cursor", code, detail: "must be a nextCursor of this list" }
    ])
  })

  it("is refused without its whole digest, or with a value by which nothing is sorted", () => {
    const place = Buffer.concat([Buffer.of(0), Buffer.from(id.replaceAll("-", ""), "hex")])
    const end = (...rest: ReadonlyArray<number>) =>
      positionIn("sites", encodeChecked(Buffer.concat([place, Buffer.from(rest)])))
    expect(end()).toEqual({ id, value: null, digest: null })
    expect([end(1), end(1, 2, 3, 4)]).toEqual([undefined, undefined])
    for (const json of ["{}", "[1]", "true", "no json", ""])
      expect(end(1, 2, 3, 4, ...Buffer.from(json))).toBeUndefined()
    expect(positionIn("sites", encodeChecked(place.subarray(0, 16)))).toBeUndefined()
    expect(positionIn("sites", encodeChecked(Buffer.of(0)))).toBeUndefined()
  })
})
