/**
 * Offers the sample data to an empty organisation.
 */
import { Button, Group, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { messageOf } from "../api/failures.ts"
import { readAgain } from "../api/queries.ts"
import { useAction } from "../shell/useAction.ts"
import { overviewTexts } from "../texts/en/overview.ts"

const texts = overviewTexts.sample

const load = async (): Promise<void> => {
  try {
    const { loadSamples } = await import("./changeSamples.ts")
    await loadSamples()
    notifications.show({ message: texts.loaded })
  } catch (error) {
    notifications.show({ color: "red", title: texts.failed, message: messageOf(error) })
    throw error
  } finally {
    void readAgain([])
  }
}

export const LoadSampleData = () => {
  const loading = useAction(load)
  return (
    <Group gap="sm">
      <Button variant="light" loading={loading.busy} onClick={() => void loading.run()}>
        {texts.load}
      </Button>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
    </Group>
  )
}
