/**
 * How a download says under which name it is to be kept (RFC 6266, RFC 8187).
 * Shared by everything that stores documents.
 *
 * @since 0.1.0
 */

// attr-char of RFC 8187 is less than what encodeURIComponent leaves alone.
const encode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The value of `Content-Disposition` for an attachment under this name: as it is
 * for clients that read RFC 8187, and for others with `_` for what a plain
 * string cannot hold. Without a name the file may be shown where it is.
 *
 * @category conversions
 * @since 0.1.0
 */
export const contentDisposition = (filename: string | null): string => {
  if (filename === null) return "inline"
  const name = filename.toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${encode(name)}`
}
