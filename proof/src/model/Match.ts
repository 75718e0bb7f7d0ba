/**
 * Comparison of an answer with the model. What the service chooses, such as an id, is a hole in the
 * expected value: the first answer that shows it fills the hole.
 */
import { isDeepStrictEqual } from "node:util"

/** `fill` stores the value in the model and returns false for an impossible one. */
export class Hole {
  readonly name: string
  readonly fill: (value: unknown) => boolean
  constructor(name: string, fill: (value: unknown) => boolean) {
    this.name = name
    this.fill = fill
  }
}

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** An id that no record had before. */
export const newId = (model: { readonly ids: Set<string> }, fill: (id: string) => void): Hole =>
  new Hole("a new id", (value) => {
    if (typeof value !== "string" || !uuidV7.test(value) || model.ids.has(value)) return false
    model.ids.add(value)
    fill(value)
    return true
  })

/** A text that contains all parts. */
export const textWith = (...parts: ReadonlyArray<string>): Hole =>
  new Hole(
    `a text with ${parts.join(" and ")}`,
    (value) => typeof value === "string" && parts.every((part) => value.includes(part))
  )

export const anyText = new Hole("a text", (value) => typeof value === "string")

const isInstant = (value: unknown): value is Instant => typeof value === "object" && value !== null && "@from" in value

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const fillInstant = (instant: Instant, value: unknown): boolean => {
  if (typeof value !== "string" || !rfc3339.test(value)) return false
  const at = Date.parse(value)
  if (!(at >= instant["@from"] && at <= instant["@to"])) return false
  instant["@from"] = at
  instant["@to"] = at
  return true
}

const show = (value: unknown): string =>
  value instanceof Hole
    ? `(${value.name})`
    : (JSON.stringify(value, (_, inner: unknown) => (inner instanceof Hole ? `(${inner.name})` : inner)) ?? "nothing")

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first difference, or undefined. Members may come in any order. */
export const difference = (expected: unknown, found: unknown, at = ""): string | undefined => {
  const differs = () => `${at === "" ? "the body" : at}: expected ${show(expected)}, found ${show(found)}`
  if (expected instanceof Hole) return expected.fill(found) ? undefined : differs()
  if (isInstant(expected)) return fillInstant(expected, found) ? undefined : differs()
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return differs()
    for (const [index, one] of expected.entries()) {
      const inner = difference(one, found[index], `${at}/${index}`)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  if (isRecord(expected)) {
    if (!isRecord(found) || !isDeepStrictEqual(Object.keys(found).sort(), Object.keys(expected).sort()))
      return differs()
    for (const [name, one] of Object.entries(expected)) {
      const inner = difference(one, found[name], `${at}/${name}`)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  return isDeepStrictEqual(expected, found) ? undefined : differs()
}

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
