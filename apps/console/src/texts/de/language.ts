/** What the page itself and notations of numbers and dates need of the language of the texts. */
import type * as english from "../en/language.ts"
import type { Translated } from "../Translated.ts"

export const locale: Translated<typeof english.locale> = "de-DE"

export const bytesOf: Translated<typeof english.bytesOf> = (bytes) => (bytes === 1 ? "Byte" : "Bytes")

export const noScript: Translated<typeof english.noScript> = "Die Konsole von Solar Sites braucht JavaScript."
