/**
 * Orders of lists beside the order of ids, and the members of a query that choose one.
 */
import { Schema } from "effect"
import type { SortValue } from "./Cursor.ts"
import type { PageRequest } from "./Page.ts"

export type SortDirection = "asc" | "desc"

/**
 * Request to a port. Without `sort` the items ascend by id. With it they are sorted by a value of
 * each item, then by id. Null is greater than all other values. `desc` is the exact reverse of `asc`.
 * `createdAt` is the order of ids. Texts are folded (`foldText`) and compared by code points.
 * `value` belongs to the item `after`, which may have changed or gone since.
 */
export interface SortedPageRequest<Id extends string, By extends string> extends PageRequest<Id> {
  readonly sort?: { readonly by: By; readonly order: SortDirection; readonly value: SortValue }
}

/** Members of a query that choose the order of a list. */
export const sorting = <const Names extends ReadonlyArray<string>>(names: Names) => ({
  sort: Schema.optionalKey(Schema.Literals(names)),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
})

/** A query without its paging and its order. */
export type ConditionsOf<Query> = Omit<Query, "limit" | "cursor" | "sort" | "order">
