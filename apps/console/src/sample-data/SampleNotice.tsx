/**
 * Says that there is sample data, and removes it.
 */
import { Button, Group, Paper, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { readAgain } from "../api/queries.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { overviewTexts } from "../texts/en/overview.ts"
import { samplesQuery, useCanUseSamples } from "./sampleQueries.ts"

const texts = overviewTexts.sample

const remove = async (): Promise<void> => {
  try {
    const { removeSamples } = await import("./changeSamples.ts")
    await removeSamples()
    notifications.show({ message: texts.removed })
  } finally {
    void readAgain([])
  }
}

export const SampleNotice = () => {
  const { data } = useQuery({ ...samplesQuery, enabled: useCanUseSamples() })
  const [removing, setRemoving] = useState(false)
  const isPresent = data !== undefined && data.sites.length + data.portfolios.length > 0
  if (!isPresent && !removing) return null
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{texts.present}</Text>
        <Button variant="default" size="xs" onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
      </Group>
      {removing && (
        <ConfirmDialog
          title={texts.removeTitle}
          action={texts.removeAction}
          onClose={() => setRemoving(false)}
          onConfirm={remove}
        >
          <Text size="sm">{texts.removeHint}</Text>
        </ConfirmDialog>
      )}
    </Paper>
  )
}
