/**
 * The header that makes a download keep its original name.
 */

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * An attachment under this name (RFC 6266): `filename*` as it is (RFC 8187), and
 * for old clients `filename` with the signs that all of them read alike.
 */
export const attachment = (filename: string): string => {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/gu, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${encode(filename)}`
}
