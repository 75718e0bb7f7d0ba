/**
 * Search of the whole organisation: a combobox with its results below. Without a text it shows the
 * records that were opened last, and the pages.
 */
import { Modal, Stack, Text, TextInput } from "@mantine/core"
import { maximumSearchCharacters } from "@solar-sites/core/model"
import { type KeyboardEvent, useId, useState } from "react"
import { useNavigate } from "react-router"
import { useStored } from "../lists/useStored.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconSearch } from "../shell/icons.ts"
import { hasShortcuts } from "../shell/isPageKey.ts"
import { useFocusReturn } from "../shell/useFocusReturn.ts"
import { searchTexts as texts } from "../texts/en/search.ts"
import { ResultList } from "./ResultList.tsx"
import { type Result, usePages, useRecords, useSearchActions } from "./useSearch.ts"

const remembered = 5

const isRecord = (value: unknown): value is Result =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  "to" in value &&
  "label" in value &&
  "hint" in value &&
  (value.kind === "site" || value.kind === "portfolio" || value.kind === "document") &&
  typeof value.to === "string" &&
  /^\/[a-z]/.test(value.to) &&
  typeof value.label === "string" &&
  typeof value.hint === "string"

const useRecent = () =>
  useStored<ReadonlyArray<Result>>("recently opened", (stored) =>
    Array.isArray(stored) ? stored.filter(isRecord).slice(0, remembered) : []
  )

const matches = ({ label }: Result, text: string): boolean => label.toLowerCase().includes(text)

interface Props {
  /** What was typed until the input has the focus; to be called once then. */
  readonly takeTyped: () => string
  readonly onClose: () => void
}

export const SearchDialog = ({ onClose, takeTyped }: Props) => {
  useFocusReturn()
  const navigate = useNavigate()
  const listId = useId()
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState<string>()
  const [recent, setRecent] = useRecent()
  const { error, hasMore, isSearching, records } = useRecords(typed)
  const text = typed.trim()
  const pages = usePages().filter((page) => matches(page, text.toLowerCase()))
  const actions = useSearchActions().filter((action) => matches(action, text.toLowerCase()))
  const ofPages = { label: texts.groups.page, results: pages }
  const ofActions = { label: texts.groups.action, results: actions }
  const groups = [
    { label: texts.groups.recent, results: text === "" ? recent : [] },
    ...(text === "" ? [ofActions, ofPages] : [ofPages, ofActions]),
    ...(["site", "portfolio", "document"] as const).map((kind) => ({
      label: texts.groups[kind],
      results: records.filter((record) => record.kind === kind)
    }))
  ].filter(({ results }) => results.length > 0)
  const results = groups.flatMap(({ results }) => results)
  const active = results.find(({ to }) => to === chosen) ?? results[0]
  const open = (result: Result) => {
    const { health: _, ...kept } = result
    if (result.kind !== "page" && result.kind !== "action")
      setRecent([kept, ...recent.filter(({ to }) => to !== result.to)].slice(0, remembered))
    onClose()
    void navigate(result.to)
  }
  const move = (step: number) => {
    const index = active === undefined ? 0 : results.indexOf(active) + step
    setChosen(results.at(index % results.length)?.to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows belong to an input method while it composes.
    if (event.nativeEvent.isComposing) return
    if (event.key === "ArrowDown") move(1)
    else if (event.key === "ArrowUp") move(-1)
    else if (event.key === "Enter") {
      // Records of the text before are shown until the search is done.
      if (active !== undefined && !(isSearching && records.includes(active))) open(active)
    } else return
    event.preventDefault()
  }
  const status = () => {
    if (isSearching) return texts.searching
    if (text === "" || (results.length === 0 && error !== null)) return ""
    if (results.length === 0) return texts.noneFound(text)
    return hasMore ? texts.firstOfMore(results.length) : texts.found(results.length)
  }
  return (
    <Modal opened onClose={onClose} title={texts.title} size="lg" yOffset="10vh">
      <Stack gap="sm">
        <TextInput
          data-autofocus
          role="combobox"
          aria-label={texts.label}
          aria-expanded={results.length > 0}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : `${listId}${active.to}`}
          autoComplete="off"
          spellCheck={false}
          placeholder={texts.placeholder}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={maximumSearchCharacters}
          value={typed}
          onFocus={() => setTyped(typed + takeTyped())}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setChosen(undefined)
          }}
          onKeyDown={onKeyDown}
        />
        {error !== null && <Failure title={texts.failed} error={error} />}
        <ResultList id={listId} groups={groups} active={active} onOpen={open} />
        <Text size="sm" c="dimmed" role="status" mih="1.5em" style={{ overflowWrap: "anywhere" }}>
          {status()}
        </Text>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {texts.hint} {hasShortcuts() && texts.keysHint}
        </Text>
      </Stack>
    </Modal>
  )
}
