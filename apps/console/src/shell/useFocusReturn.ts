/**
 * Returns the focus when a dialog closes: to the button that has opened it, or
 * to the button of the menu that has.
 */
import { useEffect, useState } from "react"

const opener = (): Element | null => {
  const active = document.activeElement
  const menuButton = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? null
  return menuButton === null ? active : document.getElementById(menuButton)
}

/** For components that are mounted only while the dialog is open. */
export const useFocusReturn = (): void => {
  // Read while rendering: the menu is gone when effects run.
  const [from] = useState(opener)
  useEffect(
    () => () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
    },
    [from]
  )
}
