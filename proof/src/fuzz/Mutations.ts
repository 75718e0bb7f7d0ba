/**
 * Changes of one place of a request: types, bounds, unknown members, repetitions, Unicode, numbers,
 * nesting, and the text of the JSON itself.
 */
import * as fc from "fast-check"

/** Text of JSON that no value has, such as `1e400`. */
export class RawJson {
  readonly raw: string
  constructor(raw: string) {
    this.raw = raw
  }
}

/** JSON of a value that can hold `RawJson`. */
export const jsonText = (value: unknown): string => {
  if (value instanceof RawJson) return value.raw
  if (Object.is(value, -0)) return "-0"
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`)
    .join(",")}}`
}

const nested = (depth: number): RawJson => new RawJson("[".repeat(depth) + "]".repeat(depth))

/** Values in place of others. */
export const oddValues: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -0,
  -1,
  0.5,
  1e9,
  "",
  " ",
  "a",
  "NaN",
  "0",
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  ...["1e400", "-1e400", "1E+2", "1.0", "1e-400", "0.1e1", "9007199254740993", "123456789012345678901234567890"].map(
    (raw) => new RawJson(raw)
  ),
  ...["\\u0000", "\\ud800", "\\udc00a", "a\\u202e", "\\u007f", "\\u0085", "\\ufeff", "\\uffff", "\\u2028", "\\t"].map(
    (raw) => new RawJson(`"${raw}"`)
  ),
  ...["2026-02-30", "2025-02-29", "0000-01-01", "2026-1-1", "10000-01-01", "2026-01-01 "],
  ...["2026-01-01T24:00:00Z", "2016-12-31T23:59:60Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z"],
  ...["2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00", "2026-01-01T00:00Z", "0000-01-01T00:00:00Z"],
  ...[
    "https://a:b@example.com/",
    "https:/example.com",
    "https://",
    "javascript:alert(1)",
    "https://exa mple.com/",
    "//a"
  ],
  ...["a/b", "..", ".", "a\\b", "a@", "@b", "a@b c", "0".repeat(256), "KW", "é".repeat(128)],
  nested(10),
  nested(26)
]

type Path = ReadonlyArray<string | number>

/** Paths of all values, the root first. */
const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (typeof value !== "object" || value === null) return [path]
  const keys: ReadonlyArray<string | number> = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [path, ...keys.flatMap((key) => pathsOf(Reflect.get(value, key), [...path, key]))]
}

/** The value with the result of `change` at the path; undefined removes it. */
const changedAt = (value: unknown, [key, ...rest]: Path, change: (at: unknown) => unknown): unknown => {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      index === key ? [changedAt(item, rest, change)].filter((one) => one !== undefined) : [item]
    )
  }
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([name, member]) => {
      const changed = name === key ? changedAt(member, rest, change) : member
      return changed === undefined ? [] : [[name, changed]]
    })
  )
}

/** Lengths around the bounds of the contract. */
const lengths = [
  0, 1, 2, 3, 20, 21, 50, 51, 100, 101, 200, 201, 254, 255, 256, 500, 501, 1_000, 1_001, 2_000, 2_001, 2_048, 2_049
]

const grown = (value: unknown, length: number, odd: unknown): unknown => {
  if (typeof value === "string") return value.length >= length ? value.slice(0, length) : value.padEnd(length, "x")
  if (Array.isArray(value))
    return Array.from({ length }, (_, index) => (value.length === 0 ? odd : value[index % value.length]))
  if (typeof value === "number")
    return [-value, value + 1, value - 1, value * 10, value + 1e9, Math.round(value)][length % 6]
  if (typeof value !== "object" || value === null) return odd
  return { ...value, ...Object.fromEntries(Array.from({ length: length % 60 }, (_, index) => [`x${index}`, index])) }
}

const kinds = ["replace", "remove", "add", "repeat", "length", "append", "prepend"] as const

/** One change; `place` counts the values of the body, and starts again after the last. */
export const mutation = fc.record({
  place: fc.nat(40),
  kind: fc.constantFrom(...kinds),
  odd: fc.constantFrom(...oddValues),
  length: fc.constantFrom(...lengths)
})
export type Mutation = {
  readonly place: number
  readonly kind: (typeof kinds)[number]
  readonly odd: unknown
  readonly length: number
}

const oddText = (odd: unknown): string =>
  odd instanceof RawJson && odd.raw.startsWith('"') ? JSON.parse(odd.raw) : "\u200b"

const applied =
  ({ kind, length, odd }: Mutation) =>
  (value: unknown): unknown => {
    if (kind === "remove") return undefined
    if (kind === "length") return grown(value, length, odd)
    if (kind === "append" && typeof value === "string") return value + oddText(odd)
    if (kind === "prepend" && typeof value === "string") return oddText(odd) + value
    const isMembers =
      typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof RawJson)
    if (kind === "add" && isMembers) return { ...value, colour: odd }
    if (kind === "repeat" && isMembers) {
      const [name = "a"] = Object.keys(value)
      const text = jsonText(value)
      return new RawJson(
        text === "{}" ? `{"a":1,"a":2}` : `${text.slice(0, -1)},${JSON.stringify(name)}:${jsonText(odd)}}`
      )
    }
    return odd
  }

export const mutated = (value: unknown, mutation: Mutation): unknown => {
  const paths = pathsOf(value)
  const path = paths[mutation.place % paths.length] ?? []
  const changed = changedAt(value, path, applied(mutation))
  return changed === undefined ? null : changed
}

/** Changes of the text of a body. */
export const textChanges: Readonly<Record<string, (text: string) => string | Uint8Array<ArrayBuffer>>> = {
  none: (text) => text,
  empty: () => "",
  half: (text) => text.slice(0, text.length / 2),
  tail: (text) => `${text}x`,
  comment: (text) => `${text} // no`,
  spaced: (text) => ` \r\n\t${text}\n`,
  mark: (text) => `\ufeff${text}`,
  "no-break space": (text) => `\u00a0${text}`,
  "single quotes": (text) => text.replaceAll('"', "'"),
  "wrong byte": (text) => Uint8Array.from([...new TextEncoder().encode(text), 0xff]),
  surrogate: (text) => Uint8Array.from([...new TextEncoder().encode(text.slice(0, -1)), 0xed, 0xa0, 0x80]),
  wide: (text) => Uint8Array.from(Buffer.from(text, "utf16le")),
  escaped: (text) => text.replace(/[a-z]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
  large: (text) => text.padEnd(1_048_577),
  deep: () => "[".repeat(100_000),
  "32 levels": () => `{"id":${"[".repeat(31)}${"]".repeat(31)}}`,
  "33 levels": () => `{"id":${"[".repeat(32)}${"]".repeat(32)}}`
}
