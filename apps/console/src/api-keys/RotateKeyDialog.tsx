/**
 * Replaces a key by a new one; the old one works on for a chosen overlap.
 */
import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { ApiKey, NewApiKey } from "../api/Console.ts"
import { useAction } from "../shell/useAction.ts"
import { apiKeyTexts } from "../texts/en/apiKeys.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { refreshApiKeys } from "./apiKeyQueries.ts"
import { IssueFailure } from "./IssueFailure.tsx"

const texts = apiKeyTexts.rotateDialog

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onRotated: (issued: NewApiKey) => void
  readonly onClose: () => void
}

export const RotateKeyDialog = ({ apiKey, onClose, onRotated }: RotateKeyDialogProps) => {
  const [overlap, setOverlap] = useState("24h")
  const rotating = useAction(async () => {
    try {
      const { id } = apiKey
      onRotated(await ask("POST /console/api-keys/:id/rotate", { params: { id }, payload: { overlap } }))
    } catch (error) {
      void refreshApiKeys()
      throw error
    }
  })
  return (
    <Modal opened onClose={() => rotating.busy || onClose()} title={texts.title(apiKey.name)}>
      <Stack gap="md">
        <Text size="sm">{texts.explanation}</Text>
        <IssueFailure title={texts.failed} error={rotating.error} />
        <Radio.Group label={texts.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {Object.entries(texts.overlaps).map(([value, label]) => (
              <Radio key={value} value={value} label={label} description={texts.hints[value]} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" disabled={rotating.busy} onClick={onClose}>
            {shellTexts.cancel}
          </Button>
          <Button loading={rotating.busy} onClick={() => rotating.run()}>
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
