/**
 * Named views of a list: its query string with the shown columns, stored per user and organisation in the
 * browser, and those that colleagues share. Open at first.
 */
import { Button, Stack, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useLocation } from "react-router"
import { Failure } from "../shell/Failure.tsx"
import type { Target } from "../shell/OpenedMenu.tsx"
import { useCan, useIsLimited } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { failureTexts } from "../texts/en/failures.ts"
import { listTexts as texts } from "../texts/en/lists.ts"
import { ButtonPopover } from "./ButtonPopover.tsx"
import { type SavedView, sharedViewsQuery, shareView } from "./sharedViews.ts"
import { withColumns } from "./useListAddress.ts"
import { useStored } from "./useStored.ts"
import { ViewLine } from "./ViewLine.tsx"

export interface SavedViewsProps {
  /** Names the list, such as `sites`. */
  readonly list: string
  /** The shown ones. */
  readonly columns: ReadonlyArray<string>
  readonly target: Target
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
  const { search } = useLocation()
  const [opened, setOpened] = useState(true)
  const [name, setName] = useState("")
  const [views, setViews] = useStored<ReadonlyArray<SavedView>>(`${list} views`, (stored) =>
    Array.isArray(stored) ? stored.filter(isView) : []
  )
  // Limited users see no views of the whole organisation, which may name other portfolios.
  const isLimited = useIsLimited()
  const canShare = useCan("sites:write") && !isLimited
  const { data: shared = [] } = useQuery({ ...sharedViewsQuery, enabled: !isLimited })
  const sharing = useAction(async (view: Parameters<typeof shareView>[0]) => {
    await shareView(view)
    if (view.query !== null) setViews(others(view.name))
  })
  const isShared = (view: SavedView) => shared.some(({ name }) => name === view.name)
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
  const close = () => setOpened(false)
  return (
    <ButtonPopover target={target} label={texts.views} opened={opened} onChange={setOpened} width={280}>
      <Stack gap="sm">
        {views.length === 0 && shared.length === 0 && <Text size="sm">{texts.noViews}</Text>}
        {views.map((view) => (
          <ViewLine
            key={view.name}
            view={view}
            onOpen={close}
            // A view of a colleague is not replaced by another one of its name.
            onShare={canShare && !isShared(view) ? () => void sharing.run(view) : undefined}
            onDelete={() => setViews(others(view.name))}
          />
        ))}
        {shared.length > 0 && (
          <Stack gap="xs" role="group" aria-label={texts.sharedViews}>
            <Text size="xs" fw={600} c="dimmed">
              {texts.sharedViews}
            </Text>
            {shared.map((view) => (
              <ViewLine
                key={view.name}
                view={view}
                onOpen={close}
                onDelete={canShare ? () => void sharing.run({ ...view, query: null }) : undefined}
              />
            ))}
          </Stack>
        )}
        {sharing.error !== null && <Failure title={failureTexts.notDone} error={sharing.error} />}
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
