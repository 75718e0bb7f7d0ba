/**
 * Error of a request for a new key. Without an answer the key may exist all the
 * same.
 */
import { Stack, Text } from "@mantine/core"
import { isConnectionLost } from "../api/failures.ts"
import { Failure } from "../shell/Failure.tsx"
import { apiKeyTexts } from "../texts/en/apiKeys.ts"

export const IssueFailure = ({ error, title }: { readonly error: unknown; readonly title: string }) =>
  error !== null && (
    <Stack gap="xs">
      <Failure title={title} error={error} />
      {isConnectionLost(error) && <Text size="sm">{apiKeyTexts.maybeIssued}</Text>}
    </Stack>
  )
