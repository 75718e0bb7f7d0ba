/**
 * Reads numbers that people have typed, in the notation with a decimal point and in the one with a
 * decimal comma. A text with two readings, such as 1.234 for 1234 and for one and a quarter, is not
 * guessed: a capacity could be a thousand times wrong.
 */

/** Group separators of each decimal separator. */
const notations = [
  { decimal: ".", patterns: [/^-?\d+(?:\.\d+)?$/, /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/] },
  { decimal: ",", patterns: [/^-?\d+(?:,\d+)?$/, /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/] },
  { decimal: ".", patterns: [/^-?[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?$/, /^-?[1-9]\d{0,2}(?:'\d{3})+(?:\.\d+)?$/] },
  { decimal: ",", patterns: [/^-?[1-9]\d{0,2}(?: \d{3})+(?:,\d+)?$/, /^-?[1-9]\d{0,2}(?:'\d{3})+(?:,\d+)?$/] },
  // India groups hundreds above the thousands.
  { decimal: ".", patterns: [/^-?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/] }
] as const

/** The signs of all keyboards as the patterns have them. */
const normalised = (text: string): string =>
  text.trim().replaceAll(/\s/g, " ").replaceAll(/[’′]/g, "'").replace(/^−/, "-")

/** All values that the text can stand for, at most `magnitude` in size. */
export const numberReadings = (text: string, magnitude = Number.POSITIVE_INFINITY): ReadonlyArray<number> => {
  const typed = normalised(text)
  const values = notations.flatMap(({ decimal, patterns }) => {
    if (!patterns.some((pattern) => pattern.test(typed))) return []
    const group = decimal === "." ? /[ ,']/g : /[ .']/g
    return [Number(typed.replaceAll(group, "").replace(",", "."))]
  })
  const possible = values.filter((value) => Math.abs(value) <= magnitude)
  // Too large in every reading: the server says so.
  return [...new Set(possible.length > 0 ? possible : values)]
}

/** The value of a text with one reading; NaN for all other text. */
export const readNumber = (text: string, magnitude?: number): number => {
  const [value = Number.NaN, other] = numberReadings(text, magnitude)
  return other === undefined ? value : Number.NaN
}
