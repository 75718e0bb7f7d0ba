/**
 * The name a download is kept under (RFC 6266, RFC 8187).
 */

// attr-char of RFC 8187 is less than what encodeURIComponent leaves alone.
const encode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * An attachment under this name: as it is for clients that read RFC 8187, and
 * for others with `_` for what a plain string cannot hold. Without a name the
 * file is shown where it is, whatever was stored with it.
 */
export const contentDisposition = (filename: string | null): string => {
  if (filename === null) return "inline"
  const name = filename.toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${encode(name)}`
}
