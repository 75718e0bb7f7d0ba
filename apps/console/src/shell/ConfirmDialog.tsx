/**
 * Asks before something is done that cannot be taken back. It is done once,
 * however often the button is clicked; the dialog goes when it has worked and
 * says why when it has not.
 */
import { Button, Group, Modal, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { failureTexts } from "../texts/failures.ts"
import { shellTexts } from "../texts/shell.ts"
import { Failure } from "./Failure.tsx"
import { useAction } from "./useAction.ts"

interface ConfirmDialogProps {
  /** The question, which names what it is about. */
  readonly title: string
  /** What the button says that does it. */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const ConfirmDialog = ({ action, children, onClose, onConfirm, title }: ConfirmDialogProps) => {
  const confirming = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <Modal
      opened
      onClose={() => confirming.busy || onClose()}
      title={title}
      closeButtonProps={{ "aria-label": shellTexts.close }}
    >
      <Stack>
        {children}
        {confirming.error !== null && <Failure title={failureTexts.notDone} error={confirming.error} />}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus disabled={confirming.busy} onClick={onClose}>
            {shellTexts.cancel}
          </Button>
          <Button color="red.9" loading={confirming.busy} onClick={() => confirming.run()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
