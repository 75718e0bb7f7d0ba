/**
 * Checks the options of adapters when they are given. A `TypeError` names the option, the
 * values it takes and the kind of the given value. It never shows a given text: that can be
 * a secret. Internal to the packages of Solar Sites.
 */
import { Duration, Option, Redacted } from "effect"

const kindOf = (given: unknown): string => {
  if (given === "") return "an empty text"
  if (typeof given === "string") return "another text"
  if (Array.isArray(given)) return "an array"
  return typeof given === "object" && given !== null
    ? "an object"
    : typeof given === "function"
      ? "a function"
      : String(given)
}

/** A secret as a host gives it. */
export type Secret = string | Redacted.Redacted<string>

/** The text of a checked secret. */
export const secretText = (secret: Secret): string => (Redacted.isRedacted(secret) ? Redacted.value(secret) : secret)

/** The value of an unchecked secret, of any type. */
export const secretValue = (given: unknown): unknown => (Redacted.isRedacted(given) ? Redacted.value(given) : given)

export interface OptionCheck {
  /** Throws unless `holds`. */
  readonly need: (holds: boolean, option: string, needed: string, given: unknown) => void
  /** Throws for a name that is none of `names`, and for options that are no object. */
  readonly names: (options: unknown, names: Readonly<Record<string, true>>) => void
  /** Throws unless it is absent, or a positive finite duration. */
  readonly duration: (option: string, given: unknown) => void
}

const isPositive = (given: unknown): boolean =>
  // A duration of any other type is no duration.
  Option.exists(Duration.fromInput(given as Duration.Input), (duration) => {
    return Duration.isFinite(duration) && Duration.isPositive(duration)
  })

/** Checks the options of `owner`, such as `the Postgres adapter`. */
export const optionCheck = (owner: string): OptionCheck => {
  const need: OptionCheck["need"] = (holds, option, needed, given) => {
    if (!holds) throw new TypeError(`${option} of ${owner} must be ${needed}; it is ${kindOf(given)}`)
  }
  return {
    need,
    names: (options, names) => {
      const known = Object.keys(names)
      const isObject = typeof options === "object" && options !== null && !Array.isArray(options)
      need(isObject, "The options", `an object with some of ${known.join(", ")}`, options)
      const unknown = Object.keys(Object(options)).find((name) => !known.includes(name))
      if (unknown !== undefined) throw new TypeError(`${owner} has no option ${unknown}; it has ${known.join(", ")}`)
    },
    duration: (option, given) =>
      need(given === undefined || isPositive(given), option, 'a duration, such as "5 seconds"', given)
  }
}
