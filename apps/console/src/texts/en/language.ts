/** What the page itself and notations of numbers and dates need of the language of the texts. */

/** For words such as `in 2 days`, and for all else where the browser says nothing. */
export const locale: string = "en-GB"

export const bytesOf = (bytes: number): string => (bytes === 1 ? "byte" : "bytes")

export const noScript: string = "The console of Solar Sites needs JavaScript."
