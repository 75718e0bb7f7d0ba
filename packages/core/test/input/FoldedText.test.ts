import { foldings, foldText, searchedWords } from "@solar-sites/core"
import { expect, it } from "vitest"
import { foldedCharacters, foldingOf, unicodeVersion } from "./FoldingRule.ts"

it("folds as the rule says", () => {
  const wrong = [...foldings].filter(([character, folding]) => {
    const isKnown = /\p{Assigned}/u.test(character)
    return isKnown && foldingOf(character) !== folding
  })
  expect(wrong).toEqual([])
  // Another version of Unicode can have other characters.
  const { unicode } = process.versions
  if (unicode === unicodeVersion) expect(foldings).toEqual(foldedCharacters())
})

it("folds texts with the same normal form to one text, and a folded text to itself", () => {
  for (let point = 0; point < 0x110000; point++) {
    const character = String.fromCodePoint(point)
    if (!character.isWellFormed()) continue
    const folding = foldText(character.normalize("NFC"))
    if (foldText(character.normalize("NFD")) !== folding || foldText(folding) !== folding) {
      expect.fail(`U+${point.toString(16)} folds to ${JSON.stringify(folding)}`)
    }
  }
})

it("searches for each word once", () => {
  expect(searchedWords("Süd  sud\u3000Nord SÜD")).toEqual(["sud", "nord"])
})
