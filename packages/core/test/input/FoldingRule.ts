/**
 * Rule of search without case and accents, and the command that writes it as a table:
 * `npx -y pnpm@10 --filter @solar-sites/core foldings`. The table is data, so that all runtimes and databases agree.
 */
import { writeFileSync } from "node:fs"

/** The version of Unicode of the table. */
export const unicodeVersion = "17.0"

// Blocks of combining diacritical marks. Marks of other scripts tell words apart.
const marks = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu

// Letters with a stroke, ligatures and the like, which have no decomposition.
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ı: "i",
  ς: "σ",
  đ: "d",
  ð: "d",
  ø: "o",
  ł: "l",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ħ: "h",
  ŧ: "t"
}

const isHangul = (character: string): boolean => character >= "\uac00" && character <= "\ud7a3"

/** NFC has replaced them. Only a file name can still hold one. */
const isCompatibilityIdeograph = (character: string): boolean => /[\uf900-\ufaff\u{2f800}-\u{2fa1f}]/u.test(character)

const step = (text: string): string =>
  [...text.normalize("NFD").replace(marks, "")].map((character) => letters[character] ?? character).join("")

/** The folded form of a character: decomposed, without diacritical marks, in one case. */
export const foldingOf = (character: string): string => {
  if (isCompatibilityIdeograph(character)) return character
  let folded = character
  while (true) {
    // Upper case first: several small letters share a capital.
    const next = step(step(step(folded).toUpperCase()).toLowerCase())
    if (next === folded) return folded
    folded = next
  }
}

/** All characters that the rule changes, but syllables of Hangul. Their decomposition is a formula. */
export const foldedCharacters = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (let point = 0; point < 0x110000; point++) {
    const character = String.fromCodePoint(point)
    if (!/[\p{Assigned}--\p{Cs}--\p{Co}--\s]/v.test(character) || isHangul(character)) continue
    const folding = foldingOf(character)
    if (folding !== character) found.set(character, folding)
  }
  return found
}

/** Characters at equal distances that fold to characters at the same distances. */
interface Run {
  readonly first: number
  readonly count: number
  readonly distance: number
  readonly target: number
}

const shortestRun = 6

const runsOf = (foldings: ReadonlyMap<string, string>): ReadonlyArray<Run> => {
  const points = new Map<number, number>()
  for (const [character, folding] of foldings) {
    if ([...folding].length === 1) points.set(character.codePointAt(0) ?? 0, folding.codePointAt(0) ?? 0)
  }
  const used = new Set<number>()
  const runs: Array<Run> = []
  for (const [first, target] of points) {
    if (used.has(first)) continue
    const lengthAt = (distance: number) => {
      let count = 1
      while (points.get(first + count * distance) === target + count * distance) count += 1
      return count
    }
    const distance = lengthAt(2) > lengthAt(1) ? 2 : 1
    const count = lengthAt(distance)
    if (count < shortestRun) continue
    for (let index = 0; index < count; index++) used.add(first + index * distance)
    runs.push({ first, count, distance, target })
  }
  return runs
}

const removedRangesOf = (foldings: ReadonlyMap<string, string>): ReadonlyArray<readonly [number, number]> => {
  const ranges: Array<[number, number]> = []
  for (const [character, folding] of foldings) {
    const point = character.codePointAt(0) ?? 0
    const last = ranges.at(-1)
    if (folding !== "") continue
    if (last !== undefined && last[1] === point - 1) last[1] = point
    else ranges.push([point, point])
  }
  return ranges
}

const wrapped = (words: ReadonlyArray<string>): string => {
  const lines: Array<string> = [""]
  for (const word of words) {
    const line = lines.at(-1) ?? ""
    if ([...line].length + [...word].length > 90) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines.map((line) => `  ${JSON.stringify(line)}`).join(",\n")
}

/** The text of `packages/core/src/input/Foldings.ts`. */
export const foldingsModule = (): string => {
  const foldings = foldedCharacters()
  const runs = runsOf(foldings)
  const inRuns = new Set(
    runs.flatMap(({ count, distance, first }) => Array.from({ length: count }, (_, index) => first + index * distance))
  )
  const groups = new Map<string, string>()
  for (const [character, folding] of foldings) {
    if (folding === "" || inRuns.has(character.codePointAt(0) ?? 0)) continue
    groups.set(folding, (groups.get(folding) ?? "") + character)
  }
  const runWords = runs.map(({ count, distance, first, target }) => [first, count, distance, target].join(","))
  const removed = removedRangesOf(foldings).map((range) => range.join(","))
  return `/**
 * Characters that search and sorting fold, as of Unicode ${unicodeVersion}. Written by
 * \`test/input/FoldingRule.ts\`. A migration contains this table: a change needs a new migration.
 */

/** Ranges of code points that are removed: first and last. */
export const removedRanges: ReadonlyArray<string> = [
${wrapped(removed)}
]

/** Runs of code points: first, count, distance, folded form of the first. */
export const foldedRuns: ReadonlyArray<string> = [
${wrapped(runWords)}
]

/** Folded form, \`=\`, and the characters that have it. */
export const foldedGroups: ReadonlyArray<string> = [
${wrapped([...groups].map(([folding, characters]) => `${folding}=${characters}`))}
]
`
}

if (import.meta.main) {
  const { unicode } = process.versions
  if (unicode !== unicodeVersion) throw new Error(`needs a Node with Unicode ${unicodeVersion}`)
  writeFileSync(new URL("../../src/input/Foldings.ts", import.meta.url), foldingsModule())
}
