/**
 * Keys that are pressed while the search is loading belong to it, and not to the page.
 */
type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">

/** The text after the key; null for Escape, undefined for a key that types nothing. */
export const typeAhead = (text: string, key: Key): string | null | undefined => {
  if (key.ctrlKey || key.metaKey || key.altKey || key.isComposing) return undefined
  if (key.key === "Escape") return null
  if (key.key === "Backspace") return text.slice(0, -1)
  return key.key.length === 1 ? text + key.key : undefined
}
