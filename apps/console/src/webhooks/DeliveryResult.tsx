/**
 * Whether a delivery has arrived, and what the receiver answered.
 */
import { Badge, Group, Text } from "@mantine/core"
import type { WebhookDelivery } from "@solar-sites/http-node/client"
import { webhookTexts as texts } from "../texts/en/webhooks.ts"

const colors = { delivered: "green", pending: "yellow", failed: "red" } as const

export const DeliveryResult = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const { error, responseStatus, status } = delivery
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <Badge color={colors[status]} variant="light" size="sm">
          {texts.statuses[status]}
        </Badge>
        {responseStatus !== null && (
          <Text span size="xs" c="dimmed">
            {texts.answered(responseStatus)}
          </Text>
        )}
      </Group>
      {error !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {error}
        </Text>
      )}
    </div>
  )
}
