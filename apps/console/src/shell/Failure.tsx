/**
 * An error message, in place of content that could not be read or above a form
 * that was refused.
 */
import { Alert, Button, Stack, Text } from "@mantine/core"
import { messageOf } from "../api/failures.ts"
import { failureTexts } from "../texts/en/failures.ts"
import { IconAlertTriangle } from "./icons.ts"

interface FailureProps {
  readonly error: unknown
  readonly title?: string
  readonly onRetry?: () => void
}

export const Failure = ({ error, onRetry, title = failureTexts.unreadable }: FailureProps) => (
  <Alert role="alert" color="red" icon={<IconAlertTriangle aria-hidden />} title={title}>
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{messageOf(error)}</Text>
      {onRetry !== undefined && (
        <Button size="xs" variant="default" onClick={onRetry}>
          {failureTexts.retry}
        </Button>
      )}
    </Stack>
  </Alert>
)
