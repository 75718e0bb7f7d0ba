/**
 * Keyboard shortcuts of every page. They are off in fields, menus and dialogs.
 */
import { useWindowEvent } from "@mantine/hooks"
import { useRef } from "react"
import { useNavigate } from "react-router"
import { hasDialogs, isPageKey } from "../shell/isPageKey.ts"
import { mainPages } from "../shell/Navigation.tsx"
import { searchTexts } from "../texts/en/search.ts"

/** The keys that open the search, as the keyboard of this device names them. */
export const searchKeys: ReadonlyArray<string> = /Mac|iPhone|iPad/.test(navigator.userAgent)
  ? ["⌘", "K"]
  : [searchTexts.controlKey, "K"]

// Between G and the next key.
const sequenceMillis = 1_500

const focusSearch = (): boolean => {
  const box = document.querySelector<HTMLInputElement>("main input[type=search]:enabled")
  box?.focus()
  box?.select()
  return box !== null
}

interface Options {
  /** Gets each key first. Returns true for a key that it has used. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onSearch: () => void
  readonly onHelp: () => void
}

export const useShortcuts = ({ onHelp, onKey, onSearch }: Options): void => {
  const navigate = useNavigate()
  const sequenceStart = useRef(Number.NEGATIVE_INFINITY)
  /** Returns true if the key was used. */
  const press = (key: string, follows: boolean): boolean => {
    if (follows) {
      const page = mainPages.find((page) => page.key === key)
      if (page !== undefined) void navigate(page.to)
      // Another key after G is no command, least of all one of the page.
      return true
    }
    if (key === "/") return focusSearch()
    if (key === "?") onHelp()
    return key === "?"
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey(event)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const key = event.key.toLowerCase()
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key === "k") {
      event.preventDefault()
      if (!event.repeat && !hasDialogs(1)) onSearch()
      return
    }
    // Shift is a key of its own.
    if (event.repeat || key === "shift" || !isPageKey(event)) return
    const follows = event.timeStamp - sequenceStart.current < sequenceMillis
    sequenceStart.current = key === "g" && !follows ? event.timeStamp : Number.NEGATIVE_INFINITY
    if (key !== "g" && press(key, follows)) event.preventDefault()
  }
  // Before the listeners of pages, which ignore keys that are used here.
  useWindowEvent("keydown", onKeyDown, { capture: true })
}
