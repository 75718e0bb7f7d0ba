/**
 * The webhooks with their last delivery.
 */
import { Badge, Box, Text } from "@mantine/core"
import type { IssuedWebhook, Webhook } from "@solar-sites/http-node/client"
import { type Column, DataTable } from "../lists/DataTable.tsx"
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

const columns: ReadonlyArray<Column<Webhook>> = [
  {
    key: "url",
    label: texts.columns.url,
    cell: (webhook) => (
      <>
        <Text size="sm" fw={500}>
          {webhook.url}
        </Text>
        <Text size="xs" c="dimmed">
          {webhook.description}
        </Text>
        <Box hiddenFrom="sm" mt={4}>
          <State webhook={webhook} />
          <LastDelivery webhook={webhook} />
        </Box>
      </>
    )
  },
  { key: "events", label: texts.columns.events, wide: true, cell: eventsOf },
  { key: "state", label: texts.columns.state, wide: true, cell: (webhook) => <State webhook={webhook} /> },
  { key: "last", label: texts.columns.lastDelivery, wide: true, cell: (webhook) => <LastDelivery webhook={webhook} /> }
]

export const WebhooksTable = ({ onIssued, webhooks }: Props) => (
  <DataTable
    label={texts.list}
    items={webhooks}
    columns={columns}
    actionsOf={(webhook) => <WebhookActions webhook={webhook} onIssued={onIssued} />}
  />
)
