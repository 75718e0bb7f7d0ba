/**
 * The webhooks of the organisation. A secret is in the state of this page while its dialog is open,
 * and nowhere else.
 */
import { Button, EmptyState, Paper } from "@mantine/core"
import type { IssuedWebhook } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { CompanyTab } from "../company/CompanyTab.tsx"
import { IconPlus } from "../shell/icons.ts"
import { NotRead } from "../shell/NotRead.tsx"
import { RevealDialog } from "../shell/RevealDialog.tsx"
import { useCan } from "../shell/session.ts"
import { webhookTexts as texts } from "../texts/en/webhooks.ts"
import { WebhookFormDialog } from "./WebhookFormDialog.tsx"
import { WebhooksTable } from "./WebhooksTable.tsx"
import { webhooksQuery } from "./webhookQueries.ts"

export const WebhooksTab = () => {
  const canWrite = useCan("webhooks:write")
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery)
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const reveal = (issued: IssuedWebhook) => {
    setCreating(false)
    setSecret(issued.secret)
  }
  const content = () => {
    if (webhooks === undefined) return <NotRead height={200} error={error} onRetry={refetch} />
    if (webhooks.length === 0) return <EmptyState title={texts.none} description={texts.noneHint} py="xl" />
    return (
      <Paper withBorder>
        <WebhooksTable webhooks={webhooks} onIssued={reveal} />
      </Paper>
    )
  }
  const create = canWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  )
  return (
    <CompanyTab description={texts.description} actions={create}>
      {content()}
      {isCreating && <WebhookFormDialog onCreated={reveal} onClose={() => setCreating(false)} />}
      {secret !== undefined && (
        <RevealDialog {...texts.secretDialog} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </CompanyTab>
  )
}
