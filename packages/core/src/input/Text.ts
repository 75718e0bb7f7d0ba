/**
 * Names and addresses typed by people. SQL and HTML are plain text; only characters that can
 * mislead a reader or break a store are refused.
 */
import { Schema, SchemaTransformation } from "effect"
import { hasFewMarks, maximumMarks } from "./NormalForm.ts"
import { maximumSearchCharacters } from "./SearchLimit.ts"

// Cc covers NUL, the other C0 and C1 controls, and DEL. The rest are the bidirectional embeddings,
// overrides and isolates of Unicode.
const forbidden = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** True for well-formed text without control characters and bidirectional overrides. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !forbidden.test(text)

// Like `forbidden`, but LF and CR LF are allowed.
const forbiddenInLines = /(?!\r?\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** The same characters and lone surrogates inside the brackets of a pattern, in the syntax that most languages share. */
export const forbiddenInPattern = "\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff"

/**
 * Pattern of one allowed character that is none of `others`. Engines that read UTF-16, such as those
 * of JavaScript without the flag `u`, see two surrogates in place of a character beyond U+FFFF.
 */
export const allowedInPattern = (others = ""): string =>
  `(?:[^${forbiddenInPattern}${others}]|[\\ud800-\\udbff][\\udc00-\\udfff])`

/** Pattern of a text before it is trimmed. `isFilled` demands a character that is no white space. */
export const plainTextPattern = (isFilled: boolean, lines: boolean): string => {
  const any = lines ? `(?:${allowedInPattern()}|\\r?\\n)*` : `${allowedInPattern()}*`
  return isFilled ? `^${any}${allowedInPattern("\\s")}${any}$` : `^${any}$`
}

// An alias, since an interface is no JSON value.
type JsonForm = { readonly minLength?: number; readonly maxLength: number; readonly pattern: string }

const fewMarks = Schema.makeFilter(hasFewMarks, {
  message: `must not hold more than ${maximumMarks} combining marks in a row`,
  faultCode: "too_many_marks"
})

const plainText = (forbidden: RegExp, form: JsonForm) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => text.isWellFormed(), {
      message: "must not hold lone surrogates",
      faultCode: "forbidden_character",
      // Lengths are checked after decoding, but a JSON Schema describes the encoded value.
      representation: { id: "@solar-sites/core/text", payload: form },
      toJsonSchema: () => form
    }),
    Schema.makeFilter((text: string) => !forbidden.test(text), {
      message: "must not hold control characters or bidirectional overrides",
      faultCode: "forbidden_character"
    }),
    fewMarks
  )

/**
 * Text in NFC with a length in code points. `trim` removes white space at both ends. `lines` allows
 * line feeds and converts CR LF to LF. Both happen before the length check. `pattern` describes the
 * encoded text in a JSON Schema and checks nothing.
 */
export const text = (options: {
  readonly min?: number
  readonly max: number
  readonly trim?: boolean
  readonly lines?: boolean
  readonly pattern?: string
}) => {
  const { lines = false, min = 0, pattern, trim = false } = options
  const form = {
    ...(min === 0 ? {} : { minLength: min }),
    maxLength: options.max,
    pattern: pattern ?? plainTextPattern(trim && min > 0, lines)
  }
  return plainText(lines ? forbiddenInLines : forbidden, form).pipe(
    Schema.decodeTo(
      Schema.String.check(
        Schema.isMinCodePoints(min, {
          message: min === 1 ? "must not be empty" : `must have at least ${min} characters`,
          faultCode: "too_short"
        }),
        Schema.isMaxCodePoints(options.max, {
          message: `must have at most ${options.max} characters`,
          faultCode: "too_long"
        }),
        // What was stored can be sent again: NFC can separate a mark from its letter.
        fewMarks
      ),
      SchemaTransformation.transform({
        decode: (value: string) => {
          const unified = lines ? value.replaceAll("\r\n", "\n") : value
          const sent = trim ? unified.trim() : unified
          // NFC joins at most four characters of two code units each into one, so this text is too
          // long in any case.
          return sent.length > 8 * options.max ? sent : sent.normalize("NFC")
        },
        encode: (value: string) => value
      })
    )
  )
}

/**
 * Name of a site, portfolio, organisation, key or person: 1–200 code points after trimming
 * (specification, section 2).
 */
export const Name = text({ min: 1, max: 200, trim: true })

/**
 * Words of a search, of 1 to `maximumSearchCharacters` after trimming. Every word must occur somewhere in the
 * searched texts, without regard to case and accents.
 */
export const SearchText = text({ min: 1, max: maximumSearchCharacters, trim: true })
