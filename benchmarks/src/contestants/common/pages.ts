/**
 * Pages by keyset: a cursor is the id of the last item, with a checksum.
 */
import { crc32 } from "node:zlib"
import type { SiteRecord } from "./model.ts"
import { Problem } from "./problems.ts"

const kindOfSites = 0

/** Conditions of a list; a store reads one more than the limit. */
export interface SiteQuery {
  readonly limit: number
  readonly after?: string | undefined
  readonly portfolioId?: string | undefined
  readonly siteId?: string | undefined
}

const encodeCursor = (id: string): string => {
  const bytes = Buffer.alloc(21)
  bytes[0] = kindOfSites
  bytes.write(id.replaceAll("-", ""), 1, "hex")
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 17)), 17)
  return bytes.toString("base64url")
}

export const decodeCursor = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, "base64url")
  const whole =
    bytes.length === 21 && bytes[0] === kindOfSites && crc32(bytes.subarray(0, 17)) === bytes.readUInt32BE(17)
  if (whole) return bytes.toString("hex", 1, 17).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  const detail = "must be a nextCursor of this list"
  throw new Problem("validation_failed", [{ pointer: "/cursor", code: "invalid_cursor", detail }])
}

/** The page without the item beyond the limit. */
export const pageOf = (found: ReadonlyArray<SiteRecord>, limit: number) => {
  const data = found.length > limit ? found.slice(0, limit) : found
  const last = data.at(-1)
  return { data, nextCursor: found.length > limit && last !== undefined ? encodeCursor(last.id) : null }
}

/** Maximum of a list without `limit`; no workload asks for more. */
export const wholeList = 100_000
