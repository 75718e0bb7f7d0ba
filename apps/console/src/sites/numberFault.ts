/**
 * Faults of numbers in the form of a site, and their readings while they are typed.
 */

import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { numberReadings } from "../texts/numbers.ts"

/** Null for an empty text, which the server refuses where a number is required. */
export const numberFault = (text: string, magnitude?: number): string | null => {
  if (text.trim() === "") return null
  const readings = numberReadings(text, magnitude)
  if (readings.length === 0) return texts.notANumber
  return readings.length === 1 ? null : texts.twoNumbers(readings)
}

/** Such as `= 1,234 kWp`, or why it is not understood; undefined for a text that is no number yet. */
export const understoodAs = (text: string, unit = ""): string | undefined => {
  const readings = numberReadings(text)
  const [value] = readings
  if (value === undefined) return undefined
  return readings.length === 1 ? texts.understood(value, unit) : texts.twoNumbers(readings)
}
