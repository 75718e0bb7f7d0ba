/**
 * Instants that the model knows in part.
 */

/**
 * An instant that the model knows to lie between two others, in milliseconds since 1970. The first
 * answer that shows it makes both equal. Records changed in one step share one.
 */
export interface Instant {
  "@from": number
  "@to": number
}

export const between = (from: number, to: number): Instant => ({ "@from": from, "@to": to })

/** Later by so many milliseconds, and known only then. */
export const later = (instant: Instant, millis: number): Instant =>
  between(instant["@from"] + millis, instant["@to"] + millis)
