/**
 * Cursors of lists: opaque texts with a checksum. They hold the position of the last item, and the
 * digest of the order and the filters for which they were issued.
 */
import { Effect } from "effect"
import { crc32, decodeChecked, encodeChecked } from "../input/Crc32.ts"
import { type Fault, ValidationFailed } from "../input/ValidationFailed.ts"

/** Kinds of lists. A cursor is valid for one kind only. */
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

/** The value by which an item is sorted: folded text, a number, milliseconds, or a day. */
export type SortValue = string | number | null

/** The last item of a page. `value` is null in the order of ids. */
export interface Position {
  readonly id: string
  readonly value: SortValue
}

/**
 * A position with the digest of its order and filters. The digest is null for the oldest first
 * without filters.
 */
interface PlacedPosition extends Position {
  readonly digest: number | null
}

const digestLength = 4
const digestStart = 17
const valueStart = digestStart + digestLength

/** The digest of a value as JSON. It detects mistakes, not attacks. */
export const digestOf = (value: unknown): number => crc32(Buffer.from(JSON.stringify(value)))

export const encodePosition = (kind: CursorKind, { digest, id, value }: PlacedPosition): string => {
  const place = Uint8Array.of(kinds.indexOf(kind), ...Buffer.from(id.replaceAll("-", ""), "hex"))
  if (digest === null) return encodeChecked(place)
  const rest = Buffer.alloc(digestLength)
  rest.writeUInt32BE(digest)
  return encodeChecked(Buffer.concat([place, rest, Buffer.from(JSON.stringify(value))]))
}

/** `undefined` for a cursor that was not issued for this kind of list. */
export const positionIn = (kind: CursorKind, cursor: string): PlacedPosition | undefined => {
  const bytes = Buffer.from(decodeChecked(cursor) ?? [])
  if (bytes.length < digestStart || bytes[0] !== kinds.indexOf(kind)) return undefined
  const hex = bytes.toString("hex", 1, digestStart)
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  if (bytes.length === digestStart) return { id, digest: null, value: null }
  if (bytes.length <= valueStart) return undefined
  const value = valueIn(bytes.toString("utf8", valueStart))
  return value === undefined ? undefined : { id, digest: bytes.readUInt32BE(digestStart), value }
}

const valueIn = (json: string): SortValue | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return value === null || typeof value === "string" || typeof value === "number" ? value : undefined
  } catch {
    return undefined
  }
}

export const invalidCursor: Fault = {
  pointer: "/cursor",
  code: "invalid_cursor",
  detail: "must be a nextCursor of this list"
}

const otherList: Fault = {
  ...invalidCursor,
  detail: "must be a nextCursor of this list, with the same order and the same filters"
}

/** The position in a cursor, or null without a cursor. Fails for a cursor of another order or other filters. */
export const decodePosition = (
  kind: CursorKind,
  cursor: string | undefined,
  digest: number | null
): Effect.Effect<Position | null, ValidationFailed> => {
  if (cursor === undefined) return Effect.succeed(null)
  const position = positionIn(kind, cursor)
  if (position === undefined) return Effect.fail(new ValidationFailed({ faults: [invalidCursor] }))
  return position.digest === digest
    ? Effect.succeed(position)
    : Effect.fail(new ValidationFailed({ faults: [otherList] }))
}

/** The cursor of the page after the item with this UUID. */
export const encodeCursor = (kind: CursorKind, id: string): string =>
  encodePosition(kind, { id, value: null, digest: null })

/**
 * The id in a cursor, or null without a cursor. Fails for a cursor that was not issued for this
 * kind of list, and for one of another order or with filters.
 */
export const decodeCursor = (
  kind: CursorKind,
  cursor: string | undefined
): Effect.Effect<string | null, ValidationFailed> =>
  Effect.map(decodePosition(kind, cursor, null), (position) => position?.id ?? null)
