/**
 * Named views of a list: its query string with the shown columns, stored per user and organisation in the
 * browser. Open at first.
 */
import { ActionIcon, Anchor, Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { type FormEvent, useState } from "react"
import { Link, useLocation } from "react-router"
import { IconCheck, IconCopy, IconTrash } from "../shell/icons.ts"
import type { Target } from "../shell/OpenedMenu.tsx"
import { listTexts as texts } from "../texts/en/lists.ts"
import { ButtonPopover } from "./ButtonPopover.tsx"
import { withColumns } from "./useListAddress.ts"
import { useStored } from "./useStored.ts"

export interface SavedViewsProps {
  /** Names the list, such as `sites`. */
  readonly list: string
  /** The shown ones. */
  readonly columns: ReadonlyArray<string>
  readonly target: Target
}

interface SavedView {
  readonly name: string
  /** Query string without the page. */
  readonly query: string
}

const isView = (value: unknown): value is SavedView =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "query" in value &&
  typeof value.name === "string" &&
  typeof value.query === "string"

const longestName = 60

const withoutPage = (search: string): string => {
  const parameters = new URLSearchParams(search)
  parameters.delete("cursor")
  return parameters.toString()
}

export const SavedViewsPopover = ({ columns, list, target }: SavedViewsProps) => {
  const { pathname, search } = useLocation()
  const [opened, setOpened] = useState(true)
  const [name, setName] = useState("")
  const [views, setViews] = useStored<ReadonlyArray<SavedView>>(`${list} views`, (stored) =>
    Array.isArray(stored) ? stored.filter(isView) : []
  )
  const others = (kept: string) => views.filter((view) => view.name !== kept)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const saved = name.trim()
    if (saved === "") return
    setViews([...others(saved), { name: saved, query: withColumns(withoutPage(search), columns) }])
    notifications.show({ message: texts.viewSaved(saved) })
    setName("")
    setOpened(false)
  }
  return (
    <ButtonPopover target={target} label={texts.views} opened={opened} onChange={setOpened} width={280}>
      <Stack gap="sm">
        {views.length === 0 && <Text size="sm">{texts.noViews}</Text>}
        {views.map((view) => (
          <Group key={view.name} justify="space-between" wrap="nowrap" gap="xs">
            <Anchor
              component={Link}
              to={{ pathname, search: view.query }}
              size="sm"
              style={{ overflowWrap: "anywhere" }}
              onClick={() => setOpened(false)}
            >
              {view.name}
            </Anchor>
            <Group gap={0} wrap="nowrap">
              {/* Colleagues open the view by its address. */}
              <CopyButton value={`${location.origin}${pathname}?${view.query}`}>
                {({ copied, copy }) => (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={(copied ? texts.viewCopied : texts.copyView)(view.name)}
                    onClick={copy}
                  >
                    {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
                  </ActionIcon>
                )}
              </CopyButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={texts.deleteView(view.name)}
                onClick={() => setViews(others(view.name))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
        ))}
        <form onSubmit={save}>
          <Stack gap="xs">
            <TextInput
              label={texts.viewName}
              description={texts.saveViewHint}
              maxLength={longestName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" disabled={name.trim() === ""}>
              {texts.saveViewAction}
            </Button>
          </Stack>
        </form>
      </Stack>
    </ButtonPopover>
  )
}
