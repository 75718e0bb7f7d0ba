/**
 * Lists: filters, order, pages and cursors.
 */
import { type Expected, invalid, ok, type Turn } from "./Call.ts"
import { Hole } from "./Match.ts"
import { type Members, oneOf, readQuery, text, uuid } from "./Members.ts"
import type { Place } from "./ModelState.ts"

type Sortable = string | number | null

export interface Listed<A> {
  /** All items that meet the conditions, in any order. */
  readonly items: ReadonlyArray<A>
  readonly json: (item: A) => unknown
  /** Value of the order; by default that of creation. */
  readonly value?: (item: A) => Sortable
  readonly descending?: boolean
}

export const instantText: Members[string] = {
  holds: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
}

/** Parameters of pages. */
export const paging = (most = 1_000): Members => ({
  limit: {
    holds: (value) => typeof value === "string" && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= most
  },
  cursor: text(10_000)
})

export const ordering = (...sorts: ReadonlyArray<string>): Members => ({
  sort: oneOf(sorts),
  order: oneOf(["asc", "desc"])
})

export const uuids = (...names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, uuid] as const))

const fold = (given: string): string => given.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** Every word occurs in one of the texts. */
export const hasWords = (q: string | undefined, ...texts: ReadonlyArray<string | null>): boolean =>
  fold(q ?? "")
    .split(/\s+/)
    .every((word) => texts.some((one) => fold(one ?? "").includes(word)))

export const folded = fold

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

/** The answer of a list, once its parameters hold. */
export const page = <A extends { readonly id: string }>(
  { call, organisation, model }: Turn,
  { descending = false, items, json, value = () => null }: Listed<A>
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

/** A list with these parameters. */
export const listRule =
  <A extends { readonly id: string }>(
    members: Members,
    listed: (
      turn: Turn,
      values: Readonly<Record<string, string>>,
      query: Turn["call"]["query"]
    ) => Listed<A> | Expected,
    repeatable: ReadonlyArray<string> = []
  ) =>
  (turn: Turn): Expected => {
    const { pointers, values } = readQuery(members, turn.call.query, repeatable)
    if (pointers.length > 0) return invalid(pointers)
    const found = listed(turn, values, turn.call.query)
    return "status" in found ? found : page(turn, found)
  }
