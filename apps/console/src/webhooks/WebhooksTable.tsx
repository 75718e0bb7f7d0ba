/**
 * The webhooks with their last delivery.
 */
import { Badge, Box, Table, Text, VisuallyHidden } from "@mantine/core"
import type { IssuedWebhook, Webhook } from "@solar-sites/http-node/client"
import { webhookTexts as texts } from "../texts/en/webhooks.ts"
import { formatInstant } from "../texts/formats.ts"
import { DeliveryResult } from "./DeliveryResult.tsx"
import { WebhookActions } from "./WebhookActions.tsx"

const shownEvents = 3

const eventsOf = ({ events }: Webhook): string => {
  const names = events.map((pattern) => (pattern === "*" ? texts.everyEvent : pattern))
  return texts.events(names.slice(0, shownEvents).join(", "), Math.max(0, names.length - shownEvents))
}

const State = ({ webhook: { enabled } }: { readonly webhook: Webhook }) => (
  <Badge color={enabled ? "green" : "gray"} variant="light" size="sm">
    {enabled ? texts.enabled : texts.disabled}
  </Badge>
)

const LastDelivery = ({ webhook: { lastDelivery } }: { readonly webhook: Webhook }) =>
  lastDelivery === null ? (
    <Text size="sm" c="dimmed">
      {texts.noDelivery}
    </Text>
  ) : (
    <>
      <DeliveryResult delivery={lastDelivery} />
      <Text size="xs" c="dimmed">
        {formatInstant(lastDelivery.at)}
      </Text>
    </>
  )

interface Props {
  readonly webhooks: ReadonlyArray<Webhook>
  readonly onIssued: (issued: IssuedWebhook) => void
}

export const WebhooksTable = ({ onIssued, webhooks }: Props) => (
  <Table aria-label={texts.list}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{texts.columns.url}</Table.Th>
        <Table.Th visibleFrom="md">{texts.columns.events}</Table.Th>
        <Table.Th visibleFrom="sm">{texts.columns.state}</Table.Th>
        <Table.Th visibleFrom="sm">{texts.columns.lastDelivery}</Table.Th>
        <Table.Th w={48}>
          <VisuallyHidden>{texts.columns.actions}</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {webhooks.map((webhook) => {
        const { description, id, url } = webhook
        return (
          <Table.Tr key={id}>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              <Text size="sm" fw={500}>
                {url}
              </Text>
              <Text size="xs" c="dimmed">
                {description}
              </Text>
              <Box hiddenFrom="sm" mt={4}>
                <State webhook={webhook} />
                <LastDelivery webhook={webhook} />
              </Box>
            </Table.Td>
            <Table.Td visibleFrom="md">{eventsOf(webhook)}</Table.Td>
            <Table.Td visibleFrom="sm">
              <State webhook={webhook} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <LastDelivery webhook={webhook} />
            </Table.Td>
            <Table.Td ta="end">
              <WebhookActions webhook={webhook} onIssued={onIssued} />
            </Table.Td>
          </Table.Tr>
        )
      })}
    </Table.Tbody>
  </Table>
)
