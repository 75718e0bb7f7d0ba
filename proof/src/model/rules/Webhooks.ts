/**
 * Rules of webhooks (specification, section 12). Of the deliveries in lists the model knows the tests
 * alone; `Deliveries.ts` judges what receivers get.
 */
import { CreateWebhook, ListWebhookDeliveries, ListWebhooks, UpdateWebhook } from "@solar-sites/core/model"
import { changesOf, emit, etag, isStale, ofRecord, ok, type Rule, refused, stale, type Turn, uuidIn } from "../Call.ts"
import { asked, given } from "../Input.ts"
import { listRule } from "../List.ts"
import { Hole, isRecord, newId } from "../Match.ts"
import type { Organisation, Webhook } from "../ModelState.ts"

const members = ["url", "events", "description", "enabled"]

const lastDelivery = new Hole("a delivery or null", (value) => value === null || isRecord(value))

const json = ({ since: _since, tests: _tests, ...webhook }: Webhook): Record<string, unknown> => ({
  ...webhook,
  lastDelivery
})

const secretOf = ({ webhookSecrets }: Organisation): Hole =>
  new Hole("a secret", (value) => {
    webhookSecrets.push(String(value))
    return typeof value === "string" && /^whsec_[A-Za-z0-9+/]{43}=$/.test(value)
  })

const withoutQuery = (webhook: Webhook | null) => webhook && { ...webhook, url: webhook.url.split("?")[0] }

const emitWebhook = (turn: Turn, type: string, from: Webhook | null, to: Webhook | null): void => {
  const webhook = to ?? from
  if (webhook === null) return
  const subject = { type: "webhook", id: webhook.id, name: String(withoutQuery(webhook)?.url) }
  const changes = changesOf(withoutQuery(from), withoutQuery(to), members)
  emit(turn, type, subject, null, changes)
}

const isRefusedAddress = (url: string | undefined): boolean =>
  url !== undefined && URL.parse(url)?.protocol !== "https:"

const addressRefused = { ...refused(400, "webhook_address_not_allowed"), ofState: true as const }

const createWebhook: Rule = (turn) =>
  given(CreateWebhook, turn.call, (values) => {
    const { at, organisation, model } = turn
    if (isRefusedAddress(values.url)) return addressRefused
    if (organisation.webhooks.size >= 20) return refused(409, "too_many_webhooks")
    const webhook: Webhook = {
      ...{ id: "", description: null, ...values, enabled: values.enabled ?? true },
      ...{ createdAt: at, updatedAt: at, version: 1, tests: [], since: 0 }
    }
    const id = newId(model, (found) => {
      webhook.id = found
      organisation.webhooks.set(found, webhook)
      emitWebhook(turn, "webhook.created", null, webhook)
      webhook.since = organisation.events.length
      organisation.subscriptions.push({ url: webhook.url, events: webhook.events })
    })
    return ok(201, { ...json(webhook), id, secret: secretOf(organisation) }, { etag: '"1"' })
  })

const ofWebhook = ofRecord(({ webhooks }) => webhooks, "webhook_not_found")

const updateWebhook: Rule = (turn) =>
  given(UpdateWebhook, turn.call, (values) =>
    ofWebhook((_, webhook) => {
      if (isRefusedAddress(values.url)) return addressRefused
      if (isStale(turn, webhook)) return stale
      const before = { ...webhook }
      if (Object.keys(changesOf(before, { ...webhook, ...values }, members)).length > 0) {
        Object.assign(webhook, values, { version: before.version + 1, updatedAt: turn.at })
        turn.organisation.subscriptions.push({ url: webhook.url, events: webhook.events })
        emitWebhook(turn, "webhook.updated", before, webhook)
      }
      return ok(200, json(webhook), etag(webhook))
    })(turn)
  )

const delivery = (id: unknown): Record<string, unknown> => ({
  id,
  ...Object.fromEntries(
    ["eventId", "type", "attempt", "status", "responseStatus", "error", "at", "nextAttemptAt"].map(
      (name) => [name, new Hole(name, (value) => value !== undefined)] as const
    )
  )
})

/** Deliveries of which none may be missing that the model knows. */
const listWebhookDeliveries: Rule = (turn) =>
  asked(ListWebhookDeliveries, turn.call, () =>
    ofWebhook((_, { tests }) => {
      const isComplete = turn.call.query.length === 0
      const data = new Hole(`the deliveries ${tests.join()}`, (found) => {
        if (!Array.isArray(found)) return false
        const ids = found.map((one: unknown) => (isRecord(one) ? one["id"] : undefined))
        return !isComplete || tests.every((id) => ids.includes(id))
      })
      const nextCursor = new Hole("a cursor or null", (value) => value === null || typeof value === "string")
      return ok(200, { data, nextCursor })
    })(turn)
  )

export const webhookRules: Readonly<Record<string, Rule>> = {
  listWebhooks: listRule(ListWebhooks, {
    items: ({ organisation }) => [...organisation.webhooks.values()],
    json: (_, webhook) => json(webhook)
  }),
  createWebhook,
  getWebhook: ofWebhook((_, webhook) => ok(200, json(webhook), etag(webhook))),
  updateWebhook,
  deleteWebhook: ofWebhook((turn, webhook) => {
    if (isStale(turn, webhook)) return stale
    turn.organisation.webhooks.delete(webhook.id)
    turn.organisation.gone.push(webhook.id)
    emitWebhook(turn, "webhook.deleted", webhook, null)
    return ok(204)
  }),
  rotateWebhookSecret: ofWebhook((turn, webhook) => {
    Object.assign(webhook, { version: webhook.version + 1, updatedAt: turn.at })
    emitWebhook(turn, "webhook.updated", webhook, webhook)
    return ok(200, { ...json(webhook), secret: secretOf(turn.organisation) }, etag(webhook))
  }),
  testWebhook: ofWebhook(({ model }, webhook) => ok(200, delivery(newId(model, (id) => void webhook.tests.push(id))))),
  listWebhookDeliveries,
  retryWebhookDelivery: ofWebhook(({ call }, { tests }) => {
    const id = uuidIn(call.ids[1])
    return id === undefined || !tests.includes(id) ? refused(404, "delivery_not_found") : ok(200, delivery(id))
  })
}
