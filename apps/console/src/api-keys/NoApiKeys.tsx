/**
 * Shown in place of an empty list of keys.
 */
import { Stack, Text } from "@mantine/core"
import { IconKey } from "../shell/icons.ts"
import { apiKeyTexts as texts } from "../texts/en/apiKeys.ts"

export const NoApiKeys = () => (
  <Stack align="center" gap="xs" p="xl">
    <IconKey size={32} stroke={1.2} aria-hidden />
    <Text fw={600}>{texts.none}</Text>
    <Text size="sm" c="dimmed" ta="center" maw="48ch">
      {texts.noneYet}
    </Text>
  </Stack>
)
