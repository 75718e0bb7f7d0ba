/**
 * Text without case and accents, for search and sorting. Databases use the same table, so that all
 * adapters agree, in any locale and with any version of Unicode.
 */
import { foldedGroups, foldedRuns, removedRanges } from "./Foldings.ts"

const numbers = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<number>> =>
  words.flatMap((line) => line.split(" ")).map((word) => word.split(",").map(Number))

const makeFoldings = (): ReadonlyMap<string, string> => {
  const foldings = new Map<string, string>()
  for (const [first = 0, last = 0] of numbers(removedRanges)) {
    for (let point = first; point <= last; point++) foldings.set(String.fromCodePoint(point), "")
  }
  for (const [first = 0, count = 0, distance = 1, target = 0] of numbers(foldedRuns)) {
    for (let offset = 0; offset < count * distance; offset += distance) {
      foldings.set(String.fromCodePoint(first + offset), String.fromCodePoint(target + offset))
    }
  }
  for (const group of foldedGroups.flatMap((line) => line.split(" "))) {
    // The folded form can be a "=".
    const end = group.indexOf("=", 1)
    for (const character of group.slice(end + 1)) foldings.set(character, group.slice(0, end))
  }
  return foldings
}

/**
 * Characters and their folded forms. Other characters stay, but syllables of Hangul, which are
 * decomposed.
 */
export const foldings: ReadonlyMap<string, string> = /* @__PURE__ */ makeFoldings()

const isAscii = /^[\0-\x7f]*$/

/**
 * The text in lower case, without diacritical marks. Texts with the same normal form fold to one
 * text.
 */
export const foldText = (text: string): string => {
  if (isAscii.test(text)) return text.toLowerCase()
  return Array.from(text, (character) =>
    character >= "\uac00" && character <= "\ud7a3" ? character.normalize("NFD") : (foldings.get(character) ?? character)
  ).join("")
}

/**
 * The text in which a search looks for words: the folded texts, one per line. Names come first and
 * hold no line feed, so the first line is the folded name.
 */
export const searchedText = (...texts: ReadonlyArray<string | null>): string =>
  foldText(texts.filter((text) => text !== null).join("\n"))

/** The folded words of a search, each once: a store compares every text with every word. */
export const searchedWords = (search: string): ReadonlyArray<string> => [
  ...new Set(
    foldText(search)
      .split(/\s+/)
      .filter((word) => word !== "")
  )
]
