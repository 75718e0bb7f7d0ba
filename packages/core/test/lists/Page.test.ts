import { decodeCursor, encodeCursor, IdGenerator, SiteId } from "@solar-sites/core"
import { Effect, Exit } from "effect"
import { expect, it } from "vitest"

const id = SiteId.make("0193e6f4-1c2d-7a3b-8c4d-5e6f708192a3")
const issuedBefore = "AAGT5vQcLXo7jE1eb3CBkqPTj5L8"
const read = (cursor: string) => Effect.runSyncExit(decodeCursor("sites", cursor))

it("a cursor leads back to the id it was made of", () => {
  expect(read(encodeCursor("sites", id))).toEqual(Exit.succeed(id))
})

it("a cursor of one list is no cursor of another", () => {
  expect(Exit.isFailure(read(encodeCursor("portfolios", id)))).toBe(true)
})

it.each(["", "x", "AAAA", id, encodeURIComponent("../../etc/passwd"), "null"])(
  "refuses the made-up cursor %j",
  (cursor) => {
    expect(Exit.isFailure(read(cursor))).toBe(true)
  }
)

it("refuses a cursor with any one character changed, added or removed", () => {
  const cursor = encodeCursor("sites", id)
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === "A" ? "B" : "A"
    expect(Exit.isFailure(read(cursor.slice(0, index) + other + cursor.slice(index + 1)))).toBe(true)
    expect(Exit.isFailure(read(cursor.slice(0, index) + cursor.slice(index + 1)))).toBe(true)
  }
  expect(Exit.isFailure(read(`${cursor}=`))).toBe(true)
  expect(Exit.isFailure(read(` ${cursor}`))).toBe(true)
})

it("ids of the default generator make cursors", () => {
  const next = Effect.runSync(Effect.flatten(Effect.service(IdGenerator)))
  expect(read(encodeCursor("sites", next))).toEqual(Exit.succeed(next))
})

it("accepts the cursors of earlier versions, and issues the same without order and conditions", () => {
  expect(encodeCursor("sites", id)).toBe(issuedBefore)
  expect(read(issuedBefore)).toEqual(Exit.succeed(id))
})
