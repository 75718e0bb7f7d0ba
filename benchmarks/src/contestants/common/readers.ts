/**
 * Readers of JSON values: each returns the value or throws `validation_failed` with its pointer.
 */
import { type Fault, Problem } from "./problems.ts"

export type Input = Readonly<Record<string, unknown>>
export type Reader<A> = (value: unknown, pointer: string) => A

export const refuse = (pointer: string, code: string, detail: string): never => {
  const fault: Fault = { pointer, code, detail }
  throw new Problem("validation_failed", [fault])
}

const forbidden = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => uuidPattern.test(text)

const isLonger = (text: string, max: number): boolean => text.length > max && [...text].length > max

export const text =
  (min: number, max: number, trim = true): Reader<string> =>
  (value, pointer) => {
    if (typeof value !== "string") return refuse(pointer, "invalid_type", "must be a string")
    if (forbidden.test(value)) return refuse(pointer, "forbidden_character", "must be plain text")
    const normal = trim ? value.normalize("NFC").trim() : value.normalize("NFC")
    if (normal.length < min || isLonger(normal, max))
      return refuse(pointer, "invalid_length", `must have ${min} to ${max} characters`)
    return normal
  }

export const numberIn =
  (isRight: (value: number) => boolean): Reader<number> =>
  (value, pointer) =>
    typeof value === "number" && isRight(value) ? value : refuse(pointer, "out_of_range", "must be a number in range")

export const uuid: Reader<string> = (value, pointer) =>
  typeof value === "string" && isUuid(value) ? value.toLowerCase() : refuse(pointer, "invalid_uuid", "must be a UUID")

export const orNull =
  <A>(read: Reader<A>): Reader<A | null> =>
  (value, pointer) =>
    value === null ? null : read(value, pointer)

export const objectOf = (value: unknown, pointer: string): Input =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : refuse(pointer, "invalid_type", "must be an object")
