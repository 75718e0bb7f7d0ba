/**
 * Returns the focus when a dialog closes: to the button that has opened it, or
 * to the button of the menu that has.
 */
import { useEffect } from "react"

const opener = (): Element | null => {
  const active = document.activeElement
  const menuButton = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? null
  return menuButton === null ? active : document.getElementById(menuButton)
}

/** For components that are mounted only while the dialog is open. */
export const useFocusReturn = (): void => {
  useEffect(() => {
    const from = opener()
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
    }
  }, [])
}
