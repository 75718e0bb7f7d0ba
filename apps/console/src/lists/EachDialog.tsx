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
import { type Failed, PartFailed, runEach } from "./runEach.ts"

interface Props<Item> {
  readonly title: string
  readonly action: string
  readonly color?: "red" | "petrol"
  /** True while a required field is empty. */
  readonly disabled?: boolean
  readonly items: ReadonlyArray<Item>
  /** Number of records of an item, for one that is a batch. */
  readonly sizeOf?: (item: Item) => number
  /** Items at once. */
  readonly concurrency?: number
  readonly nameOf: (item: Item) => string
  readonly act: (item: Item) => Promise<unknown>
  /** Called when all items are done, with those that failed or were not tried. */
  readonly onDone: (left: ReadonlyArray<Item>) => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

// Failures named in the report.
const listed = 20

const one = () => 1

const total = <Item,>(items: ReadonlyArray<Item>, sizeOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + sizeOf(item), 0)

const reasonOf = (error: unknown): string => (error instanceof PartFailed ? error.message : messageOf(error))

interface ReportProps<Item> {
  readonly failed: ReadonlyArray<Failed<Item>>
  readonly nameOf: (item: Item) => string
  readonly sizeOf: (item: Item) => number
}

const Report = <Item,>({ failed, nameOf, sizeOf }: ReportProps<Item>) => (
  <Stack gap={4}>
    <Text size="sm">{texts.failures(total(failed, ({ item }) => sizeOf(item)))}</Text>
    <List size="sm" style={{ overflowWrap: "anywhere" }}>
      {failed.slice(0, listed).map(({ error, item }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the report does not change
        <List.Item key={index}>{`${nameOf(item)}: ${reasonOf(error)}`}</List.Item>
      ))}
    </List>
    {failed.length > listed && <Text size="sm">{texts.moreFailures(failed.length - listed)}</Text>}
  </Stack>
)

/** State of a run; undefined before it. */
const useRun = <Item,>({ act, concurrency, items: given, onDone, sizeOf = one }: Props<Item>) => {
  const [items] = useState(given)
  // In records.
  const [done, setDone] = useState<number>()
  const [report, setReport] = useState<Awaited<ReturnType<typeof runEach<Item>>>>()
  const stopping = useRef(new AbortController())
  const run = async () => {
    if (done !== undefined) return
    setDone(0)
    const left = new Set(items)
    let ended = 0
    const once = async (item: Item) => {
      await act(item)
      left.delete(item)
    }
    const onEnd = (item: Item) => {
      ended += sizeOf(item)
      setDone(ended)
    }
    const { failed: all, wasStopped } = await runEach(items, once, {
      signal: stopping.current.signal,
      onEnd,
      concurrency
    })
    const failed = all.map(({ error, item }) => {
      noticeSessionChange(error)
      if (!(error instanceof PartFailed)) return { error, item }
      left.delete(item)
      left.add(error.part)
      return { error, item: error.part as Item }
    })
    setReport({ failed, wasStopped })
    onDone([...left])
    return { failed, wasStopped }
  }
  return { items, done, report, run, stop: () => stopping.current.abort() }
}

export const EachDialog = <Item,>(props: Props<Item>) => {
  const { action, children, color = "red", disabled = false, nameOf, onClose, sizeOf = one } = props
  // The selection, which the title counts, changes while the dialog shows its report.
  const [title] = useState(props.title)
  useFocusReturn()
  const { done, items, report, run, stop } = useRun(props)
  const { dialog, guarded, question } = useFormGuard(onClose)
  const running = done !== undefined && report === undefined
  const count = total(items, sizeOf)
  const untried = count - (done ?? 0)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const result = await run()
    if (result?.failed.length === 0 && !result.wasStopped) onClose()
  }
  return (
    <Modal opened {...dialog} onClose={() => running || dialog.onClose()} title={title}>
      <form onSubmit={submit} noValidate {...guarded}>
        <Stack gap="md">
          {done === undefined && children}
          {done !== undefined && (
            <Stack gap={4}>
              <Progress value={(done / count) * 100} aria-label={title} />
              <Text size="sm" role="status">
                {texts.progress(done, count)}
              </Text>
            </Stack>
          )}
          {report?.wasStopped && <Text size="sm">{texts.stopped(untried)}</Text>}
          {report !== undefined && report.failed.length > 0 && (
            <Report failed={report.failed} nameOf={nameOf} sizeOf={sizeOf} />
          )}
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
