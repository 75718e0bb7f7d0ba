/** The webhooks of the organisation and their deliveries. */
import { webhookSecretOverlapHours } from "@solar-sites/core/model"
import type { WebhookDelivery } from "@solar-sites/http-node/client"
import { formatInstant, formatNumber } from "../formats.ts"

const statuses: Readonly<Record<WebhookDelivery["status"], string>> = {
  delivered: "Delivered",
  pending: "Pending",
  failed: "Failed"
}

export const webhookTexts = {
  title: "Webhooks",
  description: "Each change is sent to these addresses as a signed message, within five seconds.",
  list: "Webhooks",
  create: "New webhook",
  none: "There are no webhooks yet",
  noneHint: "A webhook tells one of your programs of changes, so that it need not ask.",
  columns: { url: "Address", events: "Events", state: "State", lastDelivery: "Last delivery", actions: "Actions" },
  everyEvent: "Every event",
  events: (shown: string, more: number) => (more === 0 ? shown : `${shown} and ${formatNumber(more)} more`),
  enabled: "Enabled",
  disabled: "Disabled",
  noDelivery: "None yet",
  statuses,
  answered: (status: number) => `Status ${status}`,
  actions: (url: string) => `Actions for ${url}`,
  deliveries: "Deliveries",
  deliveriesOf: (url: string) => `Deliveries to ${url}`,
  test: "Send a test",
  tested: "The test was delivered.",
  testFailed: "The test was not delivered",
  edit: "Edit …",
  enable: "Enable",
  disable: "Disable",
  enabledDone: "The webhook is enabled.",
  disabledDone: "The webhook is disabled. Events that happen now are not sent to it.",
  rotate: "New secret …",
  delete: "Delete …",
  failed: "This was not done",
  form: {
    createTitle: "New webhook",
    editTitle: "Edit the webhook",
    url: "Address",
    urlHint: "Begins with https:// and leads to the public internet",
    events: "Events",
    eventsHint: "Types of events, or all of a kind such as document.*",
    eventsMissing: "Choose at least one",
    describe: "Description",
    createAction: "Create the webhook",
    saveAction: "Save",
    saved: "The webhook was saved."
  },
  secretDialog: {
    title: "Secret of the webhook",
    warning: "This is the only time that you see the secret. It verifies the signature of each message.",
    label: "Secret",
    stored: "I have stored the secret in a safe place",
    held: "You are still looking at a secret that is not shown again. Store it, then close this with “Done”."
  },
  rotateDialog: {
    title: "Make a new secret?",
    explanation: `The new secret is shown once. For ${webhookSecretOverlapHours} hours messages are signed with both secrets.`,
    submit: "Make a new secret"
  },
  deleteDialog: {
    title: "Delete this webhook?",
    explanation: (url: string) => `${url} gets no more messages. Its deliveries are deleted with it.`,
    submit: "Delete the webhook",
    done: "The webhook was deleted."
  },
  delivery: {
    list: "Deliveries, newest first",
    none: "Nothing was sent yet",
    attempts: (count: number) => (count === 1 ? "1 attempt" : `${formatNumber(count)} attempts`),
    next: (at: string) => `next at ${formatInstant(at)}`,
    retry: "Send again",
    retryNamed: (type: string, at: string) => `Send again: ${type} of ${formatInstant(at)}`,
    retried: "It is sent again.",
    older: "Show older deliveries"
  }
}
