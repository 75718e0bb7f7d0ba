/**
 * JSON text of models. `JSON.stringify` alone would do, but most of its time on a page goes into
 * the two instants of each item, which are formatted faster here.
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

/** Formats the instants of the value itself or of its member `site`; other nested values are left as they are. */
const withInstantTexts = (value: unknown): unknown => {
  if (!isTimed(value)) {
    const isAboutSite = typeof value === "object" && value !== null && "site" in value && isTimed(value.site)
    return isAboutSite ? { ...value, site: withInstantTexts(value.site) } : value
  }
  const createdAt = instantText(value.createdAt.epochMilliseconds)
  const updatedAt = value.updatedAt === value.createdAt ? createdAt : instantText(value.updatedAt.epochMilliseconds)
  return { ...value, createdAt, updatedAt }
}

/** Comma-separated JSON of models. */
export const jsonItems = (values: ReadonlyArray<unknown>): string =>
  JSON.stringify(values.map(withInstantTexts)).slice(1, -1)

/** Comma-separated JSON of the items of a list; a list that carries its JSON is not formatted again. */
export const jsonData = (list: List<unknown>): string => jsonOf(list)?.texts().join(",") ?? jsonItems(list.data)

const carriesJson = (value: object): value is List<unknown> => jsonOf(value) !== undefined

/** JSON of a model, of a list of models (`{ data: [ … ] }`), or of any other value. */
export const jsonText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (carriesJson(value)) return `{"data":[${jsonData(value)}],"nextCursor":${JSON.stringify(value.nextCursor)}}`
  const list = "data" in value && Array.isArray(value.data)
  return JSON.stringify(
    list ? { ...value, data: (value.data as ReadonlyArray<unknown>).map(withInstantTexts) } : withInstantTexts(value)
  )
}
