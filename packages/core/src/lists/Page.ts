/**
 * Paging. Ports page by the last id (keyset), callers by an opaque cursor.
 */
import { Context, Schema } from "effect"
import { type CursorKind, invalidCursor, positionIn } from "./Cursor.ts"

/**
 * Request to a port: at most `limit` items with ids after `after`. A page of more than
 * `uncountedPageSize` items ends before `limit` where its items have about `MaximumPageBytes`; the
 * first item is always on it.
 */
export interface PageRequest<Id extends string> {
  readonly after: Id | null
  readonly limit: number
}

/**
 * Answer of a port: items in ascending order of id. `hasMore` is true when further items existed at
 * the time of reading, also on a page that ends before its limit. A page can carry its JSON (`withJson`).
 */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly hasMore: boolean
}

/** A list as returned to callers. `nextCursor` is null on the last page. */
export interface List<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/** A list in its JSON form. */
export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })

/** Maximum number of items on a page. */
export const maximumPageSize = 1_000

/**
 * Number of bytes after which a page ends although more items follow, 8 MiB by default. An adapter
 * counts the form in which it reads items, which is about that of JSON.
 */
export const MaximumPageBytes = Context.Reference<number>("@solar-sites/core/MaximumPageBytes", {
  defaultValue: () => 8 * 1_048_576
})

/** Adapters need not count the bytes of a page of so many items. So many sites have at most 12 MiB. */
export const uncountedPageSize = 50

/** Size of the first page of a complete list. Most lists fit into it. */
export const firstPageSize = 500

/** Size of the following pages of a complete list. Bounds the memory held for a slow client. */
export const followingPageSize = 250

/** Size of the pages of a complete list that is not in the order of ids: a store may sort all items for each page. */
export const sortedPageSize = 4_000

/**
 * Compile-time check that a repository handles all conditions of a list: takes the rest of a
 * destructured query and accepts only an empty one.
 */
export const allConditionsRead = (_rest: Readonly<Record<string, never>>): void => {}

/** Paging members of the query of a list of this kind. Without `limit` the list is complete. */
export const paging = (kind: CursorKind, maximum: number) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween(
        { minimum: 1, maximum },
        {
          message: `must be a whole number from 1 to ${maximum}`,
          faultCode: "out_of_range"
        }
      )
    )
  ),
  cursor: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((cursor: string) => positionIn(kind, cursor) !== undefined, {
        message: invalidCursor.detail,
        faultCode: invalidCursor.code,
        representation: { id: "@solar-sites/core/cursor", payload: null },
        toJsonSchema: () => ({})
      })
    )
  )
})
