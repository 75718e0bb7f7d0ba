/**
 * CRC-32 as in zip and PNG (polynomial 0xEDB88320). Rejects mistyped values before any look-up. It
 * detects mistakes, not attacks.
 */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

const checksumLength = 4

export const crc32 = (bytes: Uint8Array): number => {
  let value = 0xffffffff
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

/** The bytes and their checksum (big-endian) in unpadded base64url. */
export const encodeChecked = (bytes: Uint8Array): string => {
  const all = Buffer.allocUnsafe(bytes.length + checksumLength)
  all.set(bytes)
  all.writeUInt32BE(crc32(bytes), bytes.length)
  return all.toString("base64url")
}

/** The bytes given to `encodeChecked`; `undefined` for any text that it does not produce. */
export const decodeChecked = (text: string): Uint8Array | undefined => {
  const all = Buffer.from(text, "base64url")
  const length = all.length - checksumLength
  // The decoder ignores foreign characters, so several texts decode to the same bytes.
  if (length < 0 || all.toString("base64url") !== text) return undefined
  const bytes = all.subarray(0, length)
  return crc32(bytes) === all.readUInt32BE(length) ? Uint8Array.from(bytes) : undefined
}
