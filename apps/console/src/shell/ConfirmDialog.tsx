/**
 * Asks before something is done that cannot be taken back, or that needs one
 * more word. It is done once, however often the button is clicked; the dialog
 * goes when it has worked and says why when it has not.
 */
import { Button, Group, Modal, Stack } from "@mantine/core"
import type { FormEvent, ReactNode } from "react"
import { failureTexts } from "../texts/failures.ts"
import { shellTexts } from "../texts/shell.ts"
import { Failure } from "./Failure.tsx"
import { useAction } from "./useAction.ts"
import { useFocusReturn } from "./useFocusReturn.ts"

interface ConfirmDialogProps {
  /** The question, which names what it is about. */
  readonly title: string
  /** What the button says that does it: the verb. */
  readonly action: string
  /** Red, unless nothing is lost. */
  readonly color?: "red" | "petrol"
  /** True while a word is missing. */
  readonly disabled?: boolean
  /** False keeps the dialog open, for a field that says what is wrong with it. */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { action, children, color = "red", disabled = false, onClose, onConfirm, title } = props
  useFocusReturn()
  const confirming = useAction(async () => {
    if ((await onConfirm()) !== false) onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void confirming.run()
  }
  return (
    <Modal
      opened
      onClose={() => confirming.busy || onClose()}
      title={title}
      closeButtonProps={{ "aria-label": shellTexts.close }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {children}
          {confirming.error !== null && <Failure title={failureTexts.notDone} error={confirming.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={confirming.busy} onClick={onClose}>
              {shellTexts.cancel}
            </Button>
            <Button type="submit" color={color} loading={confirming.busy} disabled={disabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
