/**
 * Search box, filters and status of a list.
 */
import { Button, Group, Input, Stack, Text } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { type ReactNode, useState } from "react"
import { useLocation, useNavigationType } from "react-router"
import { IconSearch } from "../shell/icons.ts"
import { listTexts as texts } from "../texts/en/lists.ts"

interface Props {
  readonly label: string
  readonly search: string
  readonly onSearch: (text: string) => void
  /** Inputs of the filters; on narrow screens behind a button. */
  readonly children?: ReactNode
  /** Such as the number of items. */
  readonly status: string
  /** Below the filters, before and after the status. */
  readonly before?: ReactNode
  readonly after?: ReactNode
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

export const ListToolbar = ({ after, before, children, label, onSearch, search, status }: Props) => {
  const [text, setText] = useSearchText(search)
  // Read before the first render, which would build the inputs.
  const isNarrow = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false })
  const [open, setOpen] = useState(false)
  const type = (typed: string) => {
    setText(typed)
    onSearch(typed)
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Input
          type="search"
          aria-label={label}
          placeholder={label}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          flex="2 1 260px"
        />
        {children !== undefined && isNarrow && (
          <Button variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
            {texts.filters}
          </Button>
        )}
        {(open || !isNarrow) && children}
      </Group>
      <Group gap="xs">
        {before}
        <Text size="sm" c="dimmed" role="status">
          {status}
        </Text>
        <Group gap="xs" ml="auto">
          {after}
        </Group>
      </Group>
    </Stack>
  )
}
