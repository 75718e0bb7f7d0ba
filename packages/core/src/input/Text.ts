/**
 * Text that people write: names and addresses. What looks like SQL or HTML is
 * plain text; only what could deceive a reader or break a store is refused.
 *
 * @since 0.1.0
 */
import { Schema, SchemaTransformation } from "effect"

// Cc is NUL, the other C0 and C1 controls and DEL; the rest are the characters
// that reorder the text around them (Unicode's embeddings, overrides, isolates).
const forbidden = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/**
 * Holds nothing that could deceive a reader or break a store.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !forbidden.test(text)

// The same, with line feeds and CR LF allowed.
const forbiddenInLines = /(?!\r?\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

const plainText = (pattern: RegExp, lengths: { readonly minLength?: number; readonly maxLength: number }) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => text.isWellFormed(), {
      message: "must not hold lone surrogates",
      faultCode: "forbidden_character",
      // The lengths are judged after decoding; a JSON Schema describes what is sent.
      representation: { id: "@solar-sites/core/text", payload: lengths },
      toJsonSchema: () => lengths
    }),
    Schema.makeFilter((text: string) => !pattern.test(text), {
      message: "must not hold control characters or bidirectional overrides",
      faultCode: "forbidden_character"
    })
  )

/**
 * Text in NFC with a length in code points. `trim` takes white space off both
 * ends before the length is judged. `lines` allows line feeds; CR LF becomes LF
 * before the length is judged.
 *
 * @category schemas
 * @since 0.1.0
 */
export const text = (options: {
  readonly min?: number
  readonly max: number
  readonly trim?: boolean
  readonly lines?: boolean
}) => {
  const { lines = false, min = 0, trim = false } = options
  const lengths = { ...(min === 0 ? {} : { minLength: min }), maxLength: options.max }
  return plainText(lines ? forbiddenInLines : forbidden, lengths).pipe(
    Schema.decodeTo(
      Schema.String.check(
        Schema.isMinCodePoints(min, {
          message: min === 1 ? "must not be empty" : `must have at least ${min} characters`,
          faultCode: "too_short"
        }),
        Schema.isMaxCodePoints(options.max, {
          message: `must have at most ${options.max} characters`,
          faultCode: "too_long"
        })
      ),
      SchemaTransformation.transform({
        decode: (value: string) => {
          const unified = lines ? value.replaceAll("\r\n", "\n") : value
          const sent = trim ? unified.trim() : unified
          // Whatever NFC makes of it is too long: it makes one character of four at most. And it takes minutes over
          // some hundred thousand marks.
          if (sent.length > 8 * options.max) return sent
          return trim ? sent.normalize("NFC").trim() : sent.normalize("NFC")
        },
        encode: (value: string) => value
      })
    )
  )
}

/**
 * The name of a site, a portfolio, an organisation, a key or a person: 1–200
 * code points after trimming (specification, section 2).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Name = text({ min: 1, max: 200, trim: true })
