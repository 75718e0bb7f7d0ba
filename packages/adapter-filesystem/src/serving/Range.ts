/**
 * The header `Range` (RFC 9110, section 14).
 */

/** Positions of the first and last byte. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const single = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i

/**
 * `undefined`: the whole file, also for several ranges and an invalid header; `null`: a range
 * beyond the end of the file.
 */
export const readRange = (header: string | undefined, sizeBytes: number): ByteRange | null | undefined => {
  const [, from, to] = single.exec(header ?? "") ?? []
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined
  if (from === "") {
    const suffix = Math.min(Number(to), sizeBytes)
    return suffix === 0 ? null : { first: sizeBytes - suffix, last: sizeBytes - 1 }
  }
  const first = Number(from)
  if (to !== "" && Number(to) < first) return undefined
  if (first >= sizeBytes) return null
  return { first, last: to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) }
}
