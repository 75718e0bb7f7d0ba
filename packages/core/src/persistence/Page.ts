/**
 * Lists in pages: ports page by the last id seen (keyset), callers by an opaque
 * cursor.
 *
 * @since 0.1.0
 */
import { Effect, Schema } from "effect"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { decodeChecked, encodeChecked } from "./Crc32.ts"

/**
 * What a port is asked for: at most `limit` items whose id sorts after `after`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PageRequest<Id extends string> {
  readonly after: Id | null
  readonly limit: number
}

/**
 * What a port answers: the items in ascending order of their ids, and whether
 * there were more when it looked. It may know its JSON too (`withJson`).
 *
 * @category models
 * @since 0.1.0
 */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly hasMore: boolean
}

/**
 * What a caller gets: a page, and the cursor of the next one. `null`: this was
 * the last.
 *
 * @category models
 * @since 0.1.0
 */
export interface List<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/**
 * How many items a page holds at most.
 *
 * @category models
 * @since 0.1.0
 */
export const maximumPageSize = 1_000

/**
 * How many items are fetched first for a complete list: all of most lists.
 *
 * @category models
 * @since 0.1.0
 */
export const firstPageSize = 500

/**
 * How many items are fetched at a time for the rest of a complete list. This is
 * what waits for a slow reader.
 *
 * @category models
 * @since 0.1.0
 */
export const followingPageSize = 250

/**
 * The paging members of a list's query. Without `limit` a list is complete.
 *
 * @category schemas
 * @since 0.1.0
 */
export const paging = (maximum: number) => ({
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
  cursor: Schema.optionalKey(Schema.String)
})

/**
 * Takes what a repository has left of the conditions of a list after taking out
 * those that it reads. A condition that it does not read does not compile here,
 * so that none is ignored.
 *
 * @category guards
 * @since 0.1.0
 */
export const allConditionsRead = (_rest: Readonly<Record<string, never>>): void => {}

/**
 * The kinds of list; a cursor of one is no cursor of another.
 *
 * @category models
 * @since 0.1.0
 */
export type CursorKind = "sites" | "portfolios" | "organisations" | "api-keys" | "documents"

const kinds: ReadonlyArray<CursorKind> = ["sites", "portfolios", "organisations", "api-keys", "documents"]

/**
 * The cursor of the page that follows the item with this UUID.
 *
 * @category cursors
 * @since 0.1.0
 */
export const encodeCursor = (kind: CursorKind, id: string): string =>
  encodeChecked(Uint8Array.of(kinds.indexOf(kind), ...Buffer.from(id.replaceAll("-", ""), "hex")))

/**
 * The id a cursor stands for, `null` without one. Fails when the cursor was not
 * given out for this kind of list.
 *
 * @category cursors
 * @since 0.1.0
 */
export const decodeCursor = (
  kind: CursorKind,
  cursor: string | undefined
): Effect.Effect<string | null, ValidationFailed> => {
  if (cursor === undefined) return Effect.succeed(null)
  const bytes = decodeChecked(cursor)
  if (bytes?.length === 17 && bytes[0] === kinds.indexOf(kind)) {
    const hex = Buffer.from(bytes.subarray(1)).toString("hex")
    return Effect.succeed(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"))
  }
  return Effect.fail(
    new ValidationFailed({
      faults: [{ pointer: "/cursor", code: "invalid_cursor", detail: "must be a nextCursor of this list" }]
    })
  )
}
