/**
 * Shows a new key, once. Escape, a click beside the dialog and a step back do
 * not close it.
 */
import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core"
import { useClipboard } from "@mantine/hooks"
import { useEffect, useState } from "react"
import { useBlocker } from "react-router"
import type { NewApiKey } from "../api/Console.ts"
import { IconAlertTriangle, IconCheck, IconCopy } from "../shell/icons.ts"
import { apiKeyTexts } from "../texts/apiKeys.ts"
import classes from "./RevealKeyDialog.module.css"

const texts = apiKeyTexts.revealDialog

interface RevealKeyDialogProps {
  readonly issued: NewApiKey
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

export const RevealKeyDialog = ({ issued, onClose }: RevealKeyDialogProps) => {
  const [stored, setStored] = useState(false)
  const clipboard = useClipboard()
  const held = useHeld()
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.created(issued.name)}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
          {texts.warning}
        </Alert>
        <Group gap="xs" align="stretch">
          <Code className={classes.key} aria-label={texts.key} translate="no">
            {issued.key}
          </Code>
          <Button
            data-autofocus
            leftSection={clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={() => clipboard.copy(issued.key)}
          >
            {clipboard.copied ? texts.copied : texts.copy}
          </Button>
        </Group>
        <div role="status">
          {clipboard.error !== null && <Text size="sm">{texts.copyFailed}</Text>}
          {held && <Text size="sm">{texts.held}</Text>}
        </div>
        <Checkbox
          label={texts.stored}
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
