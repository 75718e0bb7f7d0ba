/**
 * Paging: ports page by the last id (keyset), callers by an opaque cursor.
 */
import { Effect, Schema } from "effect"
import { type Fault, ValidationFailed } from "../input/ValidationFailed.ts"
import { decodeChecked, encodeChecked } from "./Crc32.ts"

/**
 * Request to a port: at most `limit` items with ids after `after`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PageRequest<Id extends string> {
  readonly after: Id | null
  readonly limit: number
}

/**
 * Answer of a port: items in ascending order of id. `hasMore` is true when further items existed at
 * the time of reading. A page can carry its JSON (`withJson`).
 *
 * @category models
 * @since 0.1.0
 */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly hasMore: boolean
}

/**
 * A list as returned to callers. `nextCursor` is null on the last page.
 *
 * @category models
 * @since 0.1.0
 */
export interface List<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/**
 * Maximum number of items on a page.
 *
 * @category models
 * @since 0.1.0
 */
export const maximumPageSize = 1_000

/**
 * Size of the first page of a complete list. Most lists fit into it.
 *
 * @category models
 * @since 0.1.0
 */
export const firstPageSize = 500

/**
 * Size of the following pages of a complete list. Bounds the memory held for a slow client.
 *
 * @category models
 * @since 0.1.0
 */
export const followingPageSize = 250

/**
 * Compile-time check that a repository handles all conditions of a list: takes the rest of a
 * destructured query and accepts only an empty one.
 *
 * @category guards
 * @since 0.1.0
 */
export const allConditionsRead = (_rest: Readonly<Record<string, never>>): void => {}

/**
 * Kinds of lists. A cursor is valid for one kind only.
 *
 * @category models
 * @since 0.1.0
 */
export type CursorKind = (typeof kinds)[number]

const kinds = [
  "sites",
  "portfolios",
  "organisations",
  "api-keys",
  "documents",
  "events",
  "webhooks",
  "webhook-deliveries",
  "coverage",
  "revisions"
] as const

/**
 * The cursor of the page after the item with this UUID.
 *
 * @category cursors
 * @since 0.1.0
 */
export const encodeCursor = (kind: CursorKind, id: string): string =>
  encodeChecked(Uint8Array.of(kinds.indexOf(kind), ...Buffer.from(id.replaceAll("-", ""), "hex")))

const notIssued: Fault = { pointer: "/cursor", code: "invalid_cursor", detail: "must be a nextCursor of this list" }

/** `undefined` for a cursor that was not issued for this kind of list. */
const idIn = (kind: CursorKind, cursor: string): string | undefined => {
  const bytes = decodeChecked(cursor)
  if (bytes?.length !== 17 || bytes[0] !== kinds.indexOf(kind)) return undefined
  const hex = Buffer.from(bytes.subarray(1)).toString("hex")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/**
 * The id in a cursor, or null without a cursor. Fails for a cursor that was not issued for this
 * kind of list.
 *
 * @category cursors
 * @since 0.1.0
 */
export const decodeCursor = (
  kind: CursorKind,
  cursor: string | undefined
): Effect.Effect<string | null, ValidationFailed> => {
  if (cursor === undefined) return Effect.succeed(null)
  const id = idIn(kind, cursor)
  return id === undefined ? Effect.fail(new ValidationFailed({ faults: [notIssued] })) : Effect.succeed(id)
}

/**
 * Paging members of the query of a list of this kind. Without `limit` the list is complete.
 *
 * @category schemas
 * @since 0.1.0
 */
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
      Schema.makeFilter((cursor: string) => idIn(kind, cursor) !== undefined, {
        message: notIssued.detail,
        faultCode: notIssued.code,
        representation: { id: "@solar-sites/core/cursor", payload: null },
        toJsonSchema: () => ({})
      })
    )
  )
})
