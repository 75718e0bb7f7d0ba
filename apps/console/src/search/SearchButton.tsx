/**
 * Opens the search of the whole organisation, by a button or by keys. The code of the dialogs is
 * loaded when they are first opened.
 */
import { ActionIcon, Button, Kbd } from "@mantine/core"
import { useRef, useState } from "react"
import { IconSearch } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { searchTexts as texts } from "../texts/en/search.ts"
import { typeAhead } from "./typeAhead.ts"
import { searchKeys, useShortcuts } from "./useShortcuts.ts"

const SearchDialog = lazily(async () => (await import("./SearchDialog.tsx")).SearchDialog)
const KeysDialog = lazily(async () => (await import("./KeysDialog.tsx")).KeysDialog)

export const SearchButton = () => {
  const [opened, setOpened] = useState<"search" | "keys">()
  // Typed until the search has the focus; null from then on, and while it is closed.
  const typed = useRef<string | null>(null)
  const search = () => {
    typed.current = ""
    setOpened("search")
  }
  const close = () => {
    typed.current = null
    setOpened(undefined)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (typed.current === null) return false
    const text = typeAhead(typed.current, event)
    if (text === null) close()
    else if (text !== undefined) typed.current = text
    return text !== undefined
  }
  const takeTyped = () => {
    const text = typed.current ?? ""
    typed.current = null
    return text
  }
  useShortcuts({ onKey, onSearch: search, onHelp: () => setOpened("keys") })
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        fw={400}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {searchKeys.join(" ")}
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        onClick={search}
      >
        {texts.title}
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label={texts.title} onClick={search}>
        <IconSearch size={18} stroke={1.5} aria-hidden />
      </ActionIcon>
      {opened === "search" && <SearchDialog takeTyped={takeTyped} onClose={close} />}
      {opened === "keys" && <KeysDialog onClose={close} />}
    </>
  )
}
