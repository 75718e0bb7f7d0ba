import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { foldText } from "@solar-sites/core"
import { Effect } from "effect"
import { onPglite, onPostgres, withoutPostgres } from "./Databases.ts"

/** Every character that Unicode assigns, in texts of many lines. */
const texts = Array.from({ length: 0x11 }, (_, plane) => {
  const characters: Array<string> = []
  for (let point = plane * 0x10000; point < (plane + 1) * 0x10000; point++) {
    const character = String.fromCodePoint(point)
    if (/[\p{Assigned}--\p{Cs}--\p{Co}--[\0]]/v.test(character)) characters.push(character)
  }
  return characters.join("\n")
}).filter((text) => text !== "")

const folded = Effect.fnUntraced(function* (text: string) {
  const { run, schema } = yield* PgClient
  const [row] = yield* run({ operation: "fold", text: `select ${schema}.fold($1::text)`, parameters: [text] })
  return row?.[0]
})

const foldsLikeCore = Effect.gen(function* () {
  for (const text of texts) {
    const [found, expected] = [String(yield* folded(text)).split("\n"), foldText(text).split("\n")]
    const wrong = text
      .split("\n")
      .flatMap((character, index) =>
        found[index] === expected[index] ? [] : [[character, found[index], expected[index]]]
      )
    assert.deepStrictEqual(wrong, [])
  }
  // Texts with few letters beyond ASCII are folded by other means.
  for (const text of ["SOLAR farm", "Große ÖLMÜHLE", "ırmak İ", "ŉ ə ΐ", "Ả̀ a\\b{1}", "한 Han", "\u1112\u1161\u11ab"]) {
    assert.strictEqual(yield* folded(text), foldText(text))
  }
})

describe("the function fold", () => {
  it.live.skipIf(withoutPostgres)("folds every character in Postgres as the core does", () =>
    Effect.flatMap(onPostgres(), (database) => Effect.provide(foldsLikeCore, database))
  )

  it.live("folds every character in PGlite as the core does", () =>
    Effect.flatMap(onPglite(), (database) => Effect.provide(foldsLikeCore, database))
  )
})
