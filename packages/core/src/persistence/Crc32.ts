/**
 * CRC-32 as of zip and PNG (polynomial 0xEDB88320), to tell a mistyped or
 * made-up value from a real one before anything is looked up. It protects from
 * mistakes, not from intent.
 */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** The checksum as four bytes, the most significant first. */
const crc32 = (bytes: Uint8Array): Uint8Array => {
  let value = 0xffffffff
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  const result = new Uint8Array(4)
  new DataView(result.buffer).setUint32(0, (value ^ 0xffffffff) >>> 0)
  return result
}

/** The bytes followed by their checksum, in unpadded base64url. */
export const encodeChecked = (bytes: Uint8Array): string => Buffer.concat([bytes, crc32(bytes)]).toString("base64url")

/** The bytes that `encodeChecked` was given; `undefined` unless the text is exactly what it made of them. */
export const decodeChecked = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, "base64url").subarray(0, -4)
  return encodeChecked(bytes) === text ? Uint8Array.from(bytes) : undefined
}
