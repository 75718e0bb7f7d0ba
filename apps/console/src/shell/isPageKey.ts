/**
 * Tells keys for the page from keys for a field, a menu or a dialog.
 */
const takesKeys = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]"

const setting = "solar-sites shortcuts"

/** False after shortcuts of one character were switched off in this browser. */
export const hasShortcuts = (): boolean => {
  try {
    return localStorage.getItem(setting) !== "off"
  } catch {
    return true
  }
}

/** Changes nothing without storage. */
export const switchShortcuts = (on: boolean): void => {
  try {
    localStorage.setItem(setting, on ? "on" : "off")
  } catch {}
}

/** True if at least this many dialogs are open. A drawer is a dialog. */
export const hasDialogs = (count: number): boolean => document.querySelectorAll("[role=dialog]").length >= count

/** True for a key without modifier, except Shift. With `dialogs` open dialogs, the page has the keys. */
export const isPageKey = (event: KeyboardEvent, dialogs = 0): boolean => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key.length === 1 && !hasShortcuts()) return false
  if (event.target instanceof Element && event.target.closest(takesKeys) !== null) return false
  // Other dialogs have keys of their own.
  return hasDialogs(dialogs) && !hasDialogs(dialogs + 1)
}
