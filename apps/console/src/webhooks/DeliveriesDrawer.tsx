/**
 * The deliveries of a webhook, newest first, each of which can be sent again.
 */
import { Button, Divider, Drawer, Group, List, Stack, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Webhook, WebhookDelivery } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../api/client.ts"
import { Failure } from "../shell/Failure.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { useCan } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { useFocusReturn } from "../shell/useFocusReturn.ts"
import { webhookTexts } from "../texts/en/webhooks.ts"
import { formatInstant } from "../texts/formats.ts"
import { DeliveryResult } from "./DeliveryResult.tsx"
import { deliveriesQuery, refreshWebhooks } from "./webhookQueries.ts"

const texts = webhookTexts.delivery
const shownAtOnce = 50

interface RowProps {
  readonly webhookId: string
  readonly delivery: WebhookDelivery
}

const DeliveryRow = ({ delivery, webhookId }: RowProps) => {
  const { at, attempt, id, nextAttemptAt, type } = delivery
  const canWrite = useCan("webhooks:write")
  const retrying = useAction(async () => {
    await client.webhooks.retry(webhookId, id)
    await refreshWebhooks()
    notifications.show({ message: texts.retried })
  })
  return (
    <li>
      <Divider />
      <Group justify="space-between" align="flex-start" gap="sm" py="xs">
        <Stack gap={2} flex="1 1 220px">
          <Text size="sm" fw={500}>
            {type}
          </Text>
          <DeliveryResult delivery={delivery} />
          <Text size="xs" c="dimmed">
            {formatInstant(at)} · {texts.attempts(attempt)}
            {nextAttemptAt !== null && ` · ${texts.next(nextAttemptAt)}`}
          </Text>
        </Stack>
        {canWrite && (
          <Button
            size="compact-sm"
            variant="default"
            loading={retrying.busy}
            aria-label={texts.retryNamed(type, at)}
            onClick={() => retrying.run()}
          >
            {texts.retry}
          </Button>
        )}
      </Group>
      {retrying.error !== null && <Failure title={webhookTexts.failed} error={retrying.error} />}
    </li>
  )
}

const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const { data, error, refetch } = useQuery(deliveriesQuery(webhook.id))
  const [shown, setShown] = useState(shownAtOnce)
  if (data === undefined) return <NotRead height={200} error={error} onRetry={refetch} />
  if (data.length === 0) return <Text c="dimmed">{texts.none}</Text>
  return (
    <Stack>
      <List aria-label={texts.list} listStyleType="none">
        {data.slice(0, shown).map((delivery) => (
          <DeliveryRow key={delivery.id} webhookId={webhook.id} delivery={delivery} />
        ))}
      </List>
      {data.length > shown && (
        <div>
          <Button variant="default" onClick={() => setShown(shown + shownAtOnce)}>
            {texts.older}
          </Button>
        </div>
      )}
    </Stack>
  )
}

interface Props {
  readonly webhook: Webhook
  readonly onClose: () => void
}

export const DeliveriesDrawer = ({ onClose, webhook }: Props) => {
  useFocusReturn()
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={webhookTexts.deliveriesOf(webhook.url)}>
      <Deliveries webhook={webhook} />
    </Drawer>
  )
}
