/**
 * Normal forms of Unicode in linear time. Normalisation sorts each run of combining marks, which
 * takes quadratic time.
 */

/** Most combining marks in a row, as in the stream-safe format of Unicode. No language needs more. */
export const maximumMarks = 30

// NFKC turns the last two characters into combining marks.
const marks = /[\p{M}\uff9e\uff9f]+/gu

// Classes of Unicode are slow to search. What has none of these units has no mark: ASCII, Latin and Han, for example.
const mayBeMark = /[\u0300-\u1fff\u20d0-\u33ff\ua000-\uabff\ud800-\ud83f\udb40-\udbff\ue000-\uffff]/

/** True for text with at most 30 combining marks in a row. Takes one pass. */
export const hasFewMarks = (text: string): boolean => {
  if (text.length <= maximumMarks || !mayBeMark.test(text)) return true
  for (const [run] of text.matchAll(marks)) {
    // A mark has one or two code units.
    if (run.length > 2 * maximumMarks || (run.length > maximumMarks && [...run].length > maximumMarks)) return false
  }
  return true
}

/**
 * The text in a normal form, in time that grows with its length. Null when the text or its normal
 * form has more than 30 combining marks in a row. Callers limit the length of the text before.
 */
export const normalised = (text: string, form: "NFC" | "NFKC"): string | null => {
  if (!hasFewMarks(text)) return null
  const normal = text.normalize(form)
  // The normal form can separate a mark from its letter.
  return hasFewMarks(normal) ? normal : null
}
