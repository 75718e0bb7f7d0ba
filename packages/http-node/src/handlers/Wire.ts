/**
 * The wire form of models, and its text. The models print it by themselves, but
 * what a page costs is largely the two instants of each of its items, which are
 * written in a faster way here.
 */
import { instantText, jsonOf, type List } from "@solar-sites/core"
import { DateTime } from "effect"

interface Timed {
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

const isTimed = (value: unknown): value is Timed =>
  typeof value === "object" &&
  value !== null &&
  "createdAt" in value &&
  "updatedAt" in value &&
  DateTime.isDateTime(value.createdAt) &&
  DateTime.isDateTime(value.updatedAt)

/** A value with its own instants as text; what it holds is left as it is. */
const wire = (value: unknown): unknown => {
  if (!isTimed(value)) return value
  const createdAt = instantText(value.createdAt.epochMilliseconds)
  const updatedAt = value.updatedAt === value.createdAt ? createdAt : instantText(value.updatedAt.epochMilliseconds)
  return { ...value, createdAt, updatedAt }
}

/** The texts of models, with commas between them. */
export const jsonItems = (values: ReadonlyArray<unknown>): string => JSON.stringify(values.map(wire)).slice(1, -1)

/** The same of the items of a list, which may know them already. */
export const jsonData = (list: List<unknown>): string => jsonOf(list)?.texts().join(",") ?? jsonItems(list.data)

const knowsItsJson = (value: object): value is List<unknown> => jsonOf(value) !== undefined

/** The JSON text of a model, of a list of models (`{ data: [ … ] }`), or of anything else. */
export const jsonText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (knowsItsJson(value)) return `{"data":[${jsonData(value)}],"nextCursor":${JSON.stringify(value.nextCursor)}}`
  const list = "data" in value && Array.isArray(value.data)
  return JSON.stringify(list ? { ...value, data: (value.data as ReadonlyArray<unknown>).map(wire) } : wire(value))
}
