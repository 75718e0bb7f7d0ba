/**
 * Arbitraries of common values in JSON form.
 */
import { Arbitrary, DateTime, Schema } from "effect"
import { hostileTexts } from "../conformance/Setup.ts"

/** One of the arbitraries; shrinks towards the first. */
export const oneOf = <A>(
  first: Arbitrary.Arbitrary<A>,
  ...others: ReadonlyArray<Arbitrary.Arbitrary<A>>
): Arbitrary.Arbitrary<A> => {
  const choices = [first, ...others]
  const index = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: others.length })))
  return Arbitrary.flatMap(index, (at) => choices[at] ?? first)
}

/** The value, or null. */
export const orNull = <A>(value: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A | null> =>
  oneOf<A | null>(Arbitrary.Constant(null), value)

const fragment = oneOf(
  Arbitrary.schema(Schema.Literals(["", "a", "Long Meadow", " ", "é", "e\u0301", "☀️", "<b>", "' or 1=1 --"])),
  Arbitrary.schema(Schema.String),
  Arbitrary.schema(Schema.Literals(hostileTexts))
)

/** Characters that text must not contain: controls and bidirectional overrides. */
const refused = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

const firstOf = (text: string, maximum: number): string => [...text].slice(0, maximum).join("")

/**
 * Text in stored form (NFC, trimmed) with a length in code points: letters of many scripts, emoji,
 * and text that looks like SQL or HTML.
 */
export const text = (options: { readonly min: number; readonly max: number }): Arbitrary.Arbitrary<string> =>
  Arbitrary.map(Arbitrary.array(fragment, { maxLength: 4 }), (fragments) => {
    const plain = fragments.join("").toWellFormed().replace(refused, "").normalize("NFC").trim()
    return firstOf(plain, options.max).trim().padEnd(options.min, "a")
  })

/** Random letters from a set. */
export const word = (letters: string, minLength: number, maxLength: number): Arbitrary.Arbitrary<string> =>
  Arbitrary.map(Arbitrary.array(Arbitrary.schema(Schema.Literals([...letters])), { minLength, maxLength }), (all) =>
    all.join("")
  )

/** A filename that every upload policy accepts. */
export const filename: Arbitrary.Arbitrary<string> = Arbitrary.map(text({ min: 1, max: 60 }), (name) => {
  const label = name.replace(/[/\\]/g, "_")
  return /^\.{1,2}$/.test(label) ? `${label}pdf` : label
})

const epochMillis = Schema.Int.check(Schema.isBetween({ minimum: 946_684_800_000, maximum: 4_102_444_799_999 }))

/** A day from 2000 to 2099. */
export const day: Arbitrary.Arbitrary<string> = Arbitrary.map(Arbitrary.schema(epochMillis), (millis) =>
  DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))
)

/** From 2000 to 2099, to the millisecond. */
export const instant: Arbitrary.Arbitrary<string> = Arbitrary.map(Arbitrary.schema(epochMillis), (millis) =>
  DateTime.formatIso(DateTime.makeUnsafe(millis))
)
