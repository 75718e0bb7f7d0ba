/**
 * Lists: filters, order, pages and cursors.
 */
import type { Schema } from "effect"
import { type Expected, invalid, ok, type Rule, type Turn } from "./Call.ts"
import { asked } from "./Input.ts"
import { Hole } from "./Match.ts"
import type { Place } from "./ModelState.ts"

type Sortable = string | number | null

export interface Listed<Query, A> {
  /** All items that meet the conditions, in any order. */
  readonly items: (turn: Turn, query: Query) => ReadonlyArray<A>
  readonly json: (turn: Turn, item: A) => unknown
  /** Values of the orders other than that of creation. */
  readonly sorts?: Readonly<Record<string, (item: A) => Sortable>>
}

/** Without marks, in lower case. */
export const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** Every word occurs in one of the texts. */
export const hasWords = (q: string | undefined, ...texts: ReadonlyArray<string | null>): boolean =>
  folded(q ?? "")
    .split(/\s+/)
    .every((word) => texts.some((one) => folded(one ?? "").includes(word)))

/** The record has these values; an absent one is no condition. */
export const hasValues = (record: object, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(values).every(([name, value]) => value === undefined || Reflect.get(record, name) === value)

const compareValues = (a: Sortable, b: Sortable): number => {
  if (a === b) return 0
  return (a ?? "") < (b ?? "") ? -1 : 1
}

/** Null is last in ascending order. */
const compare = (a: readonly [Sortable, string], b: readonly [Sortable, string], sign: number): number => {
  if ((a[0] === null) !== (b[0] === null)) return a[0] === null ? sign : -sign
  return sign * (compareValues(a[0], b[0]) || compareValues(a[1], b[1]))
}

/**
 * Equal for equal lists: the order of parameters does not count. A cursor of another organisation is a
 * place in the own list.
 */
const listText = ({ conditions, ids, operation }: Omit<Place, "after">): string =>
  JSON.stringify([operation, ids, conditions.toSorted(([a], [b]) => (a < b ? -1 : 1))])

/** The answer of a list, once its parameters hold. The order is that of creation without a `value`. */
export const page = <A extends { readonly id: string }>(
  { call, organisation, model }: Turn,
  items: ReadonlyArray<A>,
  json: (item: A) => unknown,
  value: (item: A) => Sortable = () => null,
  descending = false
): Expected => {
  const parameters = new Map(call.query)
  const conditions = call.query.filter(([name]) => name !== "limit" && name !== "cursor")
  const here: Omit<Place, "after"> = {
    organisation: organisation.id,
    operation: call.operation,
    ids: call.ids,
    conditions
  }
  const sign = descending ? -1 : 1
  const keyOf = (item: A) => [value(item), item.id] as const
  const sorted = items.toSorted((a, b) => compare(keyOf(a), keyOf(b), sign))

  const cursor = parameters.get("cursor")
  const place = cursor === undefined ? undefined : model.cursors.get(cursor)
  if (cursor !== undefined && (place === undefined || listText(place) !== listText(here))) return invalid(["/cursor"])
  const rest = place === undefined ? sorted : sorted.filter((item) => compare(keyOf(item), place.after, sign) > 0)
  const limit = Number(parameters.get("limit") ?? rest.length)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  if (shown.length === rest.length || last === undefined) {
    return ok(200, { data: shown.map(json), nextCursor: null })
  }
  const nextCursor = new Hole("a cursor", (found) => {
    if (typeof found !== "string" || found === "") return false
    model.cursors.set(found, { ...here, after: keyOf(last) })
    return true
  })
  return ok(200, { data: shown.map(json), nextCursor })
}

/** A list with the parameters of the schema. */
export const listRule =
  <Query extends object, A extends { readonly id: string }>(
    schema: Schema.Codec<Query, unknown>,
    { items, json, sorts = {} }: Listed<Query, A>
  ): Rule =>
  (turn) =>
    asked(schema, turn.call, (query) => {
      const { order, sort }: { readonly order?: string; readonly sort?: string } = query
      const shown = (item: A) => json(turn, item)
      return page(turn, items(turn, query), shown, sorts[sort ?? ""], order === "desc")
    })
