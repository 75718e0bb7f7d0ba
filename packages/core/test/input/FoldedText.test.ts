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
  // A line break composes with no character, so lines fold as each of them alone does. The first 128 are ASCII.
  for (let start = 0; start < 0x110000; start += 128) {
    // Planes 4 to 13 have no characters, and those of 15 and 16 are private.
    if ((start >= 0x40000 && start < 0xe0000) || start >= 0xf0000) continue
    const points = Array.from({ length: 128 }, (_, index) => String.fromCodePoint(start + index))
    const lines = points.filter((character) => character.isWellFormed()).join("\n")
    const folding = foldText(lines.normalize("NFC"))
    if (foldText(lines.normalize("NFD")) !== folding || foldText(folding) !== folding) {
      expect.fail(`a character from U+${start.toString(16)} on folds to several texts: ${JSON.stringify(folding)}`)
    }
  }
})

it("searches for each word once", () => {
  expect(searchedWords("Süd  sud\u3000Nord SÜD")).toEqual(["sud", "nord"])
})
