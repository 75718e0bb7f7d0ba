/**
 * Confirms an action on many items, runs it item by item with progress, and reports failures.
 */
import { Button, List, Modal, Progress, Stack, Text } from "@mantine/core"
import { type FormEvent, type ReactNode, useRef, useState } from "react"
import { messageOf } from "../api/failures.ts"
import { noticeSessionChange } from "../api/queries.ts"
import { DialogActions } from "../shell/DialogActions.tsx"
import { useFocusReturn } from "../shell/useFocusReturn.ts"
import { useFormGuard } from "../shell/useFormGuard.tsx"
import { listTexts as texts } from "../texts/en/lists.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { type Failed, runEach } from "./runEach.ts"

interface Props<Item> {
  readonly title: string
  readonly action: string
  readonly color?: "red" | "petrol"
  /** True while a required field is empty. */
  readonly disabled?: boolean
  readonly items: ReadonlyArray<Item>
  readonly nameOf: (item: Item) => string
  readonly act: (item: Item) => Promise<unknown>
  /** Called when all items are done, with those that failed or were not tried. */
  readonly onDone: (left: ReadonlyArray<Item>) => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

// Failures named in the report.
const listed = 20

const Report = <Item,>({ failed, nameOf }: Pick<Props<Item>, "nameOf"> & { failed: ReadonlyArray<Failed<Item>> }) => (
  <Stack gap={4}>
    <Text size="sm">{texts.failures(failed.length)}</Text>
    <List size="sm" style={{ overflowWrap: "anywhere" }}>
      {failed.slice(0, listed).map(({ error, item }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the report does not change
        <List.Item key={index}>{`${nameOf(item)}: ${messageOf(error)}`}</List.Item>
      ))}
    </List>
    {failed.length > listed && <Text size="sm">{texts.moreFailures(failed.length - listed)}</Text>}
  </Stack>
)

/** State of a run; undefined before it. */
const useRun = <Item,>({ act, items: given, onDone }: Pick<Props<Item>, "act" | "items" | "onDone">) => {
  const [items] = useState(given)
  const [done, setDone] = useState<number>()
  const [report, setReport] = useState<Awaited<ReturnType<typeof runEach<Item>>>>()
  const stopping = useRef(new AbortController())
  const run = async () => {
    if (done !== undefined) return
    setDone(0)
    const succeeded = new Set<Item>()
    const once = async (item: Item) => {
      await act(item)
      succeeded.add(item)
    }
    const result = await runEach(items, once, { signal: stopping.current.signal, onProgress: setDone })
    for (const { error } of result.failed) noticeSessionChange(error)
    setReport(result)
    onDone(items.filter((item) => !succeeded.has(item)))
    return result
  }
  return { items, done, report, run, stop: () => stopping.current.abort() }
}

export const EachDialog = <Item,>(props: Props<Item>) => {
  const { action, children, color = "red", disabled = false, nameOf, onClose } = props
  // The selection, which the title counts, changes while the dialog shows its report.
  const [title] = useState(props.title)
  useFocusReturn()
  const { done, items, report, run, stop } = useRun(props)
  const { dialog, guarded, question } = useFormGuard(onClose)
  const running = done !== undefined && report === undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const result = await run()
    if (result?.failed.length === 0 && result.untried === 0) onClose()
  }
  return (
    <Modal
      opened
      {...dialog}
      onClose={() => running || dialog.onClose()}
      title={title}
      closeButtonProps={{ "aria-label": shellTexts.close }}
    >
      <form onSubmit={submit} noValidate {...guarded}>
        <Stack gap="md">
          {done === undefined && children}
          {done !== undefined && (
            <Stack gap={4}>
              <Progress value={(done / items.length) * 100} aria-label={title} />
              <Text size="sm" role="status">
                {texts.progress(done, items.length)}
              </Text>
            </Stack>
          )}
          {report !== undefined && report.untried > 0 && <Text size="sm">{texts.stopped(report.untried)}</Text>}
          {report !== undefined && report.failed.length > 0 && <Report failed={report.failed} nameOf={nameOf} />}
          <DialogActions>
            <Button variant="default" onClick={running ? stop : onClose}>
              {running ? texts.stop : report === undefined ? shellTexts.cancel : shellTexts.close}
            </Button>
            {report === undefined && (
              <Button type="submit" color={color} loading={running} disabled={disabled}>
                {action}
              </Button>
            )}
          </DialogActions>
        </Stack>
      </form>
      {question}
    </Modal>
  )
}
