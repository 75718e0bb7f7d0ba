/**
 * Search box, filters and status of a list.
 */
import { Group, Text, TextInput } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { useLocation, useNavigationType } from "react-router"
import { IconSearch } from "../shell/icons.ts"

interface Props {
  readonly label: string
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly disabled?: boolean
  /** Inputs of the filters. */
  readonly children?: ReactNode
  /** Such as the number of items. */
  readonly status: string
}

/**
 * The text of the search box. Typing writes it to the address, which follows with a delay; until
 * then the box must not go back to the address. Only links and steps in the history, which never
 * replace an entry, set the box.
 */
const useSearchText = (search: string) => {
  const [text, setText] = useState(search)
  const { key } = useLocation()
  const [seenKey, setSeenKey] = useState(key)
  const navigationType = useNavigationType()
  if (key !== seenKey) {
    setSeenKey(key)
    if (navigationType !== "REPLACE") setText(search)
  }
  return [text, setText] as const
}

export const ListToolbar = ({ children, disabled = false, label, onSearch, search, status }: Props) => {
  const [text, setText] = useSearchText(search)
  const type = (typed: string) => {
    setText(typed)
    onSearch(typed)
  }
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        disabled={disabled}
        onChange={(event) => type(event.currentTarget.value)}
        flex="1 1 220px"
      />
      {children}
      <Text size="sm" c="dimmed" role="status" ml="auto">
        {status}
      </Text>
    </Group>
  )
}
