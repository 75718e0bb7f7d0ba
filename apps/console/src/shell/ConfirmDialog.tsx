/**
 * Asks for a confirmation, or for one more field, before an action. The action
 * runs once, however often the button is clicked. The dialog closes on success
 * and shows the error otherwise.
 */
import { Button, Modal, Stack } from "@mantine/core"
import type { FormEvent, ReactNode } from "react"
import { failureTexts } from "../texts/en/failures.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { DialogActions } from "./DialogActions.tsx"
import { Failure } from "./Failure.tsx"
import { useAction } from "./useAction.ts"
import { useFocusReturn } from "./useFocusReturn.ts"
import { useFormGuard } from "./useFormGuard.tsx"

interface ConfirmDialogProps {
  /** The question with the name of the resource. */
  readonly title: string
  /** Label of the confirming button: a verb. */
  readonly action: string
  /** Red for actions that cannot be undone. */
  readonly color?: "red" | "petrol"
  /** True while a required field is empty. */
  readonly disabled?: boolean
  /** The result false keeps the dialog open, when a field shows the error. */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { action, children, color = "red", disabled = false, onClose, onConfirm, title } = props
  useFocusReturn()
  const { dialog, guarded, question } = useFormGuard(onClose)
  const confirming = useAction(async () => {
    if ((await onConfirm()) !== false) onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void confirming.run()
  }
  return (
    <Modal opened {...dialog} onClose={() => confirming.busy || dialog.onClose()} title={title}>
      <form onSubmit={submit} noValidate {...guarded}>
        <Stack gap="md">
          {children}
          {confirming.error !== null && <Failure title={failureTexts.notDone} error={confirming.error} />}
          <DialogActions>
            <Button variant="default" disabled={confirming.busy} onClick={onClose}>
              {shellTexts.cancel}
            </Button>
            <Button type="submit" color={color} loading={confirming.busy} disabled={disabled}>
              {action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {question}
    </Modal>
  )
}
