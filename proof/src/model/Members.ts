/**
 * Validation of bodies and queries, by tables of members.
 */
import { uuidIn } from "./Call.ts"

export interface Member {
  readonly holds: (value: unknown) => boolean
  readonly required?: true
  /** Of a stored value, from the given one. */
  readonly form?: (value: unknown) => unknown
  /** Pointers inside of a value that does not hold. */
  readonly inside?: (value: unknown, pointer: string) => ReadonlyArray<string>
}

export type Members = Readonly<Record<string, Member>>

// biome-ignore lint/suspicious/noControlCharactersInRegex: the refused characters are listed.
const refusedCharacters = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u

const hasLength = (text: string, most: number) => text.length > 0 && [...text].length <= most

/** One line of text; stored without surrounding space when `trimmed`. */
export const text = (most: number, more: Partial<Member> = {}): Member => ({
  holds: (value) => typeof value === "string" && !refusedCharacters.test(value) && hasLength(value, most),
  form: (value) => String(value).normalize("NFC"),
  ...more
})

export const name: Member = {
  required: true,
  holds: (value) => typeof value === "string" && !refusedCharacters.test(value) && hasLength(value.trim(), 200),
  form: (value) => String(value).normalize("NFC").trim()
}

/** Text with line feeds, which may be empty. */
export const lines = (most: number): Member => ({
  holds: (value) =>
    typeof value === "string" &&
    !refusedCharacters.test(value.replaceAll("\r\n", "\n").replaceAll("\n", "")) &&
    [...value].length <= most,
  form: (value) => String(value).normalize("NFC").replaceAll("\r\n", "\n")
})

export const number = (holds: (value: number) => boolean, more: Partial<Member> = {}): Member => ({
  holds: (value) => typeof value === "number" && Number.isFinite(value) && holds(value),
  ...more
})

export const oneOf = (values: ReadonlyArray<string>, more: Partial<Member> = {}): Member => ({
  holds: (value) => typeof value === "string" && values.includes(value),
  ...more
})

export const uuid: Member = { holds: (value) => uuidIn(value) !== undefined, form: uuidIn }

/** A day of the calendar. */
export const day: Member = {
  holds: (value) =>
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString().startsWith(value)
}

/** A text of any kind. */
export const string: Member & { readonly required: true } = {
  required: true,
  holds: (value) => typeof value === "string"
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export interface Read {
  readonly pointers: ReadonlyArray<string>
  /** In their stored form; `null` clears. */
  readonly values: Readonly<Record<string, unknown>>
}

/** `create` demands the required members and reads null as absent; `change` clears by null. */
export const read = (
  members: Members,
  ignored: ReadonlyArray<string>,
  body: unknown,
  mode: "create" | "change",
  at = ""
): Read => {
  if (!isRecord(body)) return { pointers: [at], values: {} }
  const pointers: Array<string> = []
  const values: Record<string, unknown> = {}
  for (const key of Object.keys(body)) {
    if (!(key in members) && !ignored.includes(key)) pointers.push(`${at}/${key}`)
  }
  for (const [key, member] of Object.entries(members)) {
    const value = body[key]
    const pointer = `${at}/${key}`
    const isAbsent = value === undefined || (value === null && mode === "create" && member.required !== true)
    if (isAbsent) {
      if (member.required === true && mode === "create") pointers.push(pointer)
    } else if (value === null && member.required !== true) values[key] = null
    else if (member.holds(value)) values[key] = member.form?.(value) ?? value
    else pointers.push(...(member.inside?.(value, pointer) ?? [pointer]))
  }
  return { pointers, values }
}

/** Query parameters: each at most once, and only these. `repeatable` ones are lists. */
export const readQuery = (
  members: Members,
  query: ReadonlyArray<readonly [string, string]>,
  repeatable: ReadonlyArray<string> = []
): { readonly pointers: ReadonlyArray<string>; readonly values: Readonly<Record<string, string>> } => {
  const pointers = new Set<string>()
  const values: Record<string, string> = {}
  for (const [key, value] of query) {
    const member = members[key]
    const isRepeated = key in values && !repeatable.includes(key)
    if (member === undefined || isRepeated || !member.holds(value)) pointers.add(`/${key}`)
    else values[key] = String(member.form?.(value) ?? value)
  }
  return { pointers: [...pointers], values }
}

export const flag: Member = { holds: (value) => typeof value === "boolean" }
