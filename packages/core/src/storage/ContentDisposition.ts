/**
 * `Content-Disposition` of downloads (RFC 6266, RFC 8187), shared by all storage adapters.
 */

// encodeURIComponent leaves more characters unescaped than attr-char of RFC 8187 allows.
const encode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The header value for an attachment: the exact name for clients with RFC 8187, and an ASCII form
 * with `_` for other characters. Without a name: `inline`.
 */
export const contentDisposition = (filename: string | null): string => {
  if (filename === null) return "inline"
  const name = filename.toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${encode(name)}`
}
