/**
 * Creates or edits a webhook.
 */
import { MultiSelect, Textarea, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { IssuedWebhook, Webhook } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useFaults } from "../shell/useFaults.ts"
import { webhookTexts } from "../texts/en/webhooks.ts"
import { isPattern, patternOptions, withLatest } from "./eventPatterns.ts"
import { refreshWebhooks } from "./webhookQueries.ts"

const texts = webhookTexts.form

interface Props {
  /** Absent to create one. */
  readonly webhook?: Webhook
  /** Called with a new webhook and its secret. */
  readonly onCreated?: (issued: IssuedWebhook) => void
  readonly onClose: () => void
}

export const WebhookFormDialog = ({ onClose, onCreated, webhook }: Props) => {
  // The webhook as the form has started from it: changes by others meanwhile are not overwritten.
  const [base] = useState(webhook)
  const [url, setUrl] = useState(base?.url ?? "")
  const [events, setEvents] = useState<ReadonlyArray<string>>(base?.events ?? ["*"])
  const [description, setDescription] = useState(base?.description ?? "")
  const { collect, faultOf } = useFaults("url", "events", "description")

  const save = async (): Promise<boolean> => {
    const fields = {
      url: url.trim(),
      events: events.filter(isPattern),
      description: description.trim() === "" ? null : description.trim()
    }
    if (base !== undefined) {
      await client.webhooks.update(base.id, fields, { expectedVersion: base.version })
      notifications.show({ message: texts.saved })
    } else onCreated?.(await client.webhooks.create(fields))
    await refreshWebhooks()
    // The dialog of the secret has replaced this one.
    return base !== undefined
  }

  const submit = async () => {
    let isDone = false
    const isAccepted = await collect(async () => {
      isDone = await save()
    })
    return isAccepted && isDone
  }

  return (
    <ConfirmDialog
      title={base === undefined ? texts.createTitle : texts.editTitle}
      action={base === undefined ? texts.createAction : texts.saveAction}
      color="petrol"
      disabled={url.trim() === "" || events.length === 0}
      onClose={onClose}
      onConfirm={submit}
    >
      <TextInput
        label={texts.url}
        description={texts.urlHint}
        type="url"
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
        value={url}
        error={faultOf("url")}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <MultiSelect
        label={texts.events}
        description={texts.eventsHint}
        data={patternOptions}
        value={[...events]}
        error={events.length === 0 ? texts.eventsMissing : faultOf("events")}
        searchable
        hidePickedOptions
        onChange={(chosen) => setEvents(chosen.length > events.length ? withLatest(chosen) : chosen)}
      />
      <Textarea
        label={texts.describe}
        autosize
        minRows={2}
        value={description}
        error={faultOf("description")}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
