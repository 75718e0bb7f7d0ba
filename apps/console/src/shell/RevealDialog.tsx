/**
 * Shows a secret, once. Escape, a click beside the dialog and a step back do not close it.
 */
import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core"
import { useClipboard } from "@mantine/hooks"
import { useEffect, useState } from "react"
import { useBlocker } from "react-router"
import { shellTexts } from "../texts/en/shell.ts"
import { downloadBlob } from "./downloadBlob.ts"
import { IconAlertTriangle, IconCheck, IconCopy, IconDownload } from "./icons.ts"
import classes from "./RevealDialog.module.css"

const texts = shellTexts.revealDialog

interface RevealDialogProps {
  readonly title: string
  readonly warning: string
  /** Label of the secret for assistive technology. */
  readonly label: string
  readonly secret: string
  /** Label of the checkbox that enables closing. */
  readonly stored: string
  /** Shown after an attempt to leave. */
  readonly held: string
  /** Name of a text file to download; without it there is no button. */
  readonly fileName?: string
  readonly onClose: () => void
}

/** Blocks navigation; true after the first attempt. */
const useHeld = (): boolean => {
  const [held, setHeld] = useState(false)
  const blocker = useBlocker(true)
  useEffect(() => {
    if (blocker.state !== "blocked") return
    blocker.reset()
    setHeld(true)
  }, [blocker])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("beforeunload", ask)
    return () => removeEventListener("beforeunload", ask)
  }, [])
  return held
}

export const RevealDialog = (props: RevealDialogProps) => {
  const { fileName, label, onClose, secret, title, warning } = props
  const [stored, setStored] = useState(false)
  const clipboard = useClipboard()
  const held = useHeld()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
        <Group gap="xs" align="stretch">
          <Code className={classes.secret} aria-label={label} translate="no">
            {secret}
          </Code>
          <Button
            data-autofocus
            leftSection={clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={() => clipboard.copy(secret)}
          >
            {clipboard.copied ? texts.copied : texts.copy}
          </Button>
          {fileName !== undefined && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => downloadBlob(fileName, new Blob([`${secret}\n`], { type: "text/plain" }))}
            >
              {texts.download}
            </Button>
          )}
        </Group>
        <div role="status">
          {clipboard.error !== null && <Text size="sm">{texts.copyFailed}</Text>}
          {held && <Text size="sm">{props.held}</Text>}
        </div>
        <Checkbox
          label={props.stored}
          checked={stored}
          onChange={({ currentTarget }) => setStored(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!stored} onClick={onClose}>
            {texts.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
