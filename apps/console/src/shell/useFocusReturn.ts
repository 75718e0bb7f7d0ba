/**
 * Whoever closes a dialog goes on from where it was opened: the button, or the
 * button of the menu whose item is gone by then.
 */
import { useEffect } from "react"

const opener = (): Element | null => {
  const active = document.activeElement
  const menuButton = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? null
  return menuButton === null ? active : document.getElementById(menuButton)
}

/** To be used by what is there only while the dialog is open. */
export const useFocusReturn = (): void => {
  useEffect(() => {
    const from = opener()
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
    }
  }, [])
}
