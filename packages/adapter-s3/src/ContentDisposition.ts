/**
 * Under which name a browser keeps a download (RFC 6266).
 */

// What may stand in a quoted name without an escape that some browser reads in its own way.
const plain = /^[A-Za-z0-9 !#$&+.^_`{}~()[\]@=,;'-]*$/

// attr-char of RFC 8187 is less than what encodeURIComponent leaves alone.
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const asciiOf = (name: string): string => name.replace(/[^A-Za-z0-9 !#$&+.^_`{}~()[\]@=,;'-]/gu, "_")

/** `attachment` with the name, in both forms where the plain one would not be exact; `inline` without a name. */
export const contentDisposition = (filename: string | null): string => {
  if (filename === null) return "inline"
  const name = filename.toWellFormed()
  const quoted = `attachment; filename="${asciiOf(name)}"`
  return plain.test(name) ? quoted : `${quoted}; filename*=UTF-8''${extended(name)}`
}
