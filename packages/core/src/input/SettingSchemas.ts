/**
 * Schemas of environment variables that adapters and the server share. Each message completes
 * the sentence that begins with the name of the variable.
 */
import { Config, Schema, SchemaTransformation } from "effect"

export const textThat = (holds: (text: string) => boolean, message: string) =>
  Schema.String.check(Schema.makeFilter(holds, { message }))

export const isHttpAddress = (given: unknown): boolean => {
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === ""
}

/**
 * True of an origin as browsers send it. Origins of http and https have one form; other schemes,
 * such as those of apps, have no common rule.
 */
export const isOrigin = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+$/.test(text) && (!/^https?:/.test(text) || URL.parse(text)?.origin === text)

/** The form of an http address, for messages. */
export const httpAddressForm = (example: string): string =>
  `an http or https address without credentials, query and fragment, such as ${example}`

export const httpAddress = (example: string) => textThat(isHttpAddress, `must be ${httpAddressForm(example)}`)

const withoutSlash = SchemaTransformation.transform({
  decode: (text: string) => new URL(text).href.replace(/\/+$/, ""),
  encode: (text: string) => text
})

/** The base of other addresses, kept without slashes at its end. */
export const baseAddress = (example: string) => httpAddress(example).pipe(Schema.decodeTo(Schema.String, withoutSlash))

/** A whole number from `minimum` to `maximum`, in decimal digits alone. */
export const wholeNumber = (minimum: number, maximum: number) =>
  textThat(
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    `must be a whole number from ${minimum} to ${maximum}`
  ).pipe(Schema.decodeTo(Schema.Finite, SchemaTransformation.numberFromString))

export const Flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: (flag) => (flag ? "true" : "false") })
  )
)

/** The folder of the embedded database and of stored files. */
export const dataDirectory: Config.Config<string> = Config.String("DATA_DIR").pipe(Config.withDefault("./data"))
