/**
 * Columns of a table: for each type its SQL, its JSON and the member of the model it becomes.
 */
import { instantText } from "@solar-sites/core"
import type { DateTime, Schema } from "effect"
import { fromSeconds, instant as instantSql, numberText, seconds, toMilliseconds } from "./SqlValues.ts"

/**
 * `decoder` and `rewriter` make functions with a cache, anew per page. Columns that have the same
 * `decoder` share the function of a page: `createdAt` and `updatedAt` are often equal.
 */
export interface Column<Value> {
  /** Name in the table. Null for a computed value, which is never written. */
  readonly name: string | null
  /** SQL of the value in a row. */
  readonly value: (row: string) => string
  /** SQL of the JSON of a value, given the SQL of the value. Never null. */
  readonly toJson: (value: string) => string
  /** The same for the changes of an event, as in the JSON of the resource. Default: `toJson`. */
  readonly toChangedJson?: (value: string) => string
  /** SQL of the value that is no change on creation and deletion. Default: null. */
  readonly empty?: string
  /** Model value from JSON value. Null where they are the same. */
  readonly decoder: (() => (json: unknown) => Value) | null
  /** JSON text of `JSON.stringify` from the JSON text of Postgres. Null where they are the same. */
  readonly rewriter: (() => (text: string) => string) | null
  /** JSON value of a row that was copied before the column existed. Undefined: there is none. */
  readonly absent?: unknown
  /** SQL type in the table. Default: `inputType`. */
  readonly storedType?: string
  /** Input of an insert or update as a JSON value, its SQL type, and SQL that makes the value of it. */
  readonly encode: (value: Value) => unknown
  readonly inputType: string
  readonly fromInput: (input: string) => string
}

/** A column with the same values in the model. `to_json` writes them to JSON. */
export const plain = <Value>(name: string, inputType: string): Column<Value> => ({
  name,
  value: (row) => `${row}.${name}`,
  toJson: (value) => `to_json(${value})`,
  decoder: null,
  rewriter: null,
  encode: (value) => value,
  inputType,
  fromInput: (input) => input
})

/** A string, in JSON with escapes. */
export const text = (name: string): Column<string> => plain(name, "text")

/** Bytes, in the model and in JSON as hexadecimal digits. */
export const bytes = (name: string): Column<string> => ({
  ...text(name),
  storedType: "bytea",
  value: (row) => `encode(${row}.${name}, 'hex')`,
  fromInput: (input) => `decode(${input}, 'hex')`
})

/** A list of bytes, each as hexadecimal digits. */
export const bytesList = (name: string): Column<ReadonlyArray<string>> => ({
  ...plain<ReadonlyArray<string>>(name, "text[]"),
  storedType: "bytea[]",
  value: (row) =>
    `array(select encode(b.value, 'hex') from unnest(${row}.${name}) with ordinality b (value, n) order by b.n)`,
  fromInput: (input) =>
    `array(select decode(t.value, 'hex') from unnest(${input}) with ordinality t (value, n) order by t.n)`
})

export const boolean = (name: string): Column<boolean> => plain(name, "boolean")

export const uuid = (name: string): Column<string> => ({
  ...plain(name, "uuid"),
  toJson: (value) => `'"' || ${value} || '"'`
})

/** An array of strings. */
export const texts = (name: string): Column<ReadonlyArray<string>> => ({
  ...plain(name, "text[]"),
  empty: "'{}'::text[]",
  absent: []
})

/** A list of ids in their order. */
export const uuids = <Id extends string>(name: string): Column<ReadonlyArray<Id>> => ({
  ...plain<ReadonlyArray<Id>>(name, "text"),
  storedType: "uuid[]",
  encode: (ids) => `{${ids.join(",")}}`,
  fromInput: (input) => `${input}::text::uuid[]`
})

/** A day as `YYYY-MM-DD`, independent of the setting `DateStyle`. */
export const date = (name: string): Column<string> => plain(name, "date")

// No text of this length holds more digits than a JavaScript number.
const exactLength = 15

/** Postgres keeps zeros at the end, has a minus zero and uses exponents for other numbers. */
const rewriteNumber = (value: string): string => {
  const isSame =
    value.length <= exactLength &&
    value !== "-0" &&
    !value.includes("e") &&
    !value.startsWith("0.000000") &&
    !(value.endsWith("0") && value.includes("."))
  return isSame ? value : JSON.stringify(Number(value))
}

const number =
  (inputType: string) =>
  (name: string): Column<number> => ({
    ...plain(name, inputType),
    toJson: (value) => value,
    rewriter: () => rewriteNumber,
    // JSON has no minus zero.
    encode: numberText
  })

export const numeric = number("numeric")
export const float8 = number("float8")
export const bigint = number("bigint")
/** Postgres and JavaScript write these alike. */
export const integer = (name: string): Column<number> => ({ ...number("integer")(name), rewriter: null })

/** Keeps the last result. */
const cached = <Output>(make: (seconds: number) => Output) => {
  let last: unknown
  let output: Output
  return (seconds: unknown): Output => {
    if (seconds !== last) {
      last = seconds
      output = make(Number(seconds))
    }
    return output
  }
}

const instantDecoder = () => cached(fromSeconds)
const instantRewriter = () => cached((value) => `"${instantText(Math.round(value * 1_000))}"`)

/** An instant, in JSON as seconds since 1970, in input as milliseconds. */
export const instant = (name: string): Column<DateTime.Utc> => ({
  ...plain<DateTime.Utc>(name, "float8"),
  toJson: seconds,
  toChangedJson: (value) => `'"' || to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`,
  decoder: instantDecoder,
  rewriter: instantRewriter,
  encode: toMilliseconds,
  storedType: "timestamptz",
  fromInput: instantSql
})

/** JSON that Postgres writes in another form than `JSON.stringify`. `inForm` gives it the form of the model. */
export const json = <Value>(name: string, inForm: (stored: unknown) => Value): Column<Value> => ({
  ...plain<Value>(name, "jsonb"),
  toJson: (value) => `${value}::text`,
  decoder: () => inForm,
  rewriter: () => (value) => JSON.stringify(inForm(JSON.parse(value)))
})

/** An object of strings, numbers and nulls. `jsonb` does not keep the order of its members. */
export const jsonObject = <Fields extends Schema.Struct.Fields>(
  name: string,
  schema: Schema.Struct<Fields>
): Column<Schema.Struct<Fields>["Type"]> => {
  const members = Object.keys(schema.fields)
  return json(name, (value) => {
    // Input was checked against the schema before it was stored, here and below.
    const found = value as Record<string, unknown>
    const ordered: Record<string, unknown> = {}
    for (const member of members) ordered[member] = found[member]
    return ordered as Schema.Struct<Fields>["Type"]
  })
}

/** JSON that SQL composes from several columns. It is never written. */
export const composed = <Value>(value: (row: string) => string): Column<Value> => ({
  ...plain<Value>("", "json"),
  name: null,
  value,
  toJson: (json) => json
})

/** The same column where it may be null. */
export const nullable = <Value>(column: Column<Value>): Column<Value | null> => {
  const { decoder, rewriter, toChangedJson } = column
  const orNull = (json: string) => `coalesce((${json})::text, 'null')`
  return {
    ...column,
    absent: null,
    toJson: (value) => orNull(column.toJson(value)),
    ...(toChangedJson && { toChangedJson: (value: string) => orNull(toChangedJson(value)) }),
    decoder:
      decoder &&
      (() => {
        const decode = decoder()
        return (value) => (value === null ? null : decode(value))
      }),
    rewriter:
      rewriter &&
      (() => {
        const rewrite = rewriter()
        return (value) => (value === "null" ? value : rewrite(value))
      }),
    encode: (value) => (value === null ? null : column.encode(value))
  }
}

/** A value of the same type that SQL computes from a row, and that is never written. */
export const computed = <Value>(
  type: (name: string) => Column<Value>,
  value: (row: string) => string
): Column<Value> => ({
  ...type(""),
  name: null,
  value
})

/** Calls each factory once, and null for none. */
export const once = <Made>(): ((factory: (() => Made) | null | undefined) => Made | null) => {
  const made = new Map<() => Made, Made>()
  return (factory) => {
    if (factory === null || factory === undefined) return null
    const result = made.get(factory) ?? factory()
    made.set(factory, result)
    return result
  }
}
