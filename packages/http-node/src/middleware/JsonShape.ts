/**
 * Judges JSON as text, before anything is made of it: what is absurd must not
 * cost more than reading it once.
 */

const maximumDepth = 32

// In a shorter text there are not enough names to take long.
const longText = 16_384

const quote = 0x22
const backslash = 0x5c

/** True when the text nests arrays and objects deeper than allowed; `JSON.parse` itself knows no limit. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === backslash) index++
      else if (character === quote) inString = false
    } else if (character === quote) inString = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > maximumDepth) return true
    } else if (character === 0x5d || character === 0x7d) depth--
  }
  return false
}

/**
 * True when the members of a text have more different names than allowed. A
 * mebibyte holds a hundred thousand: making objects of them takes long, and
 * telling that each is unknown even longer. Names count as they are spelt.
 */
const hasTooManyNames = (text: string, maximumNames: number): boolean => {
  const names = new Set<string>()
  let inString = false
  let begin = 0
  let end = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === backslash) index++
      else if (character === quote) {
        inString = false
        end = index
      }
    } else if (character === quote) {
      inString = true
      begin = index + 1
    } else if (character === 0x3a && names.add(text.slice(begin, end)).size > maximumNames) return true
  }
  return false
}

/** What is wrong with the shape of a text, whatever it means. */
export const faultOfShape = (text: string, maximumNames: number): string | undefined => {
  if (isTooDeep(text)) return `The body nests deeper than ${maximumDepth} levels.`
  if (text.length < longText || !hasTooManyNames(text, maximumNames)) return undefined
  return `The members of the body have more than ${maximumNames} different names.`
}
