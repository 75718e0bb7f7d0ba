/**
 * Rules of webhooks (specification, section 12). Of the deliveries in lists the model knows the tests
 * alone; `Deliveries.ts` judges what receivers get.
 */
import { CreateWebhook, ListWebhookDeliveries, ListWebhooks, UpdateWebhook } from "@solar-sites/core/model"
import { etag, isStale, ok, type Rule, refused, stale, uuidIn } from "../Call.ts"
import { asked, given } from "../Input.ts"
import { listRule } from "../List.ts"
import { Hole, isRecord, newId } from "../Match.ts"
import type { Organisation, Webhook } from "../ModelState.ts"
import { change, created, emitChange, type Kind, ofRecord, removed, shown } from "../Records.ts"

const lastDelivery = new Hole("a delivery or null", (value) => value === null || isRecord(value))

const secretOf = ({ webhookSecrets }: Organisation): Hole =>
  new Hole("a secret", (value) => {
    webhookSecrets.push(String(value))
    return typeof value === "string" && /^whsec_[A-Za-z0-9+/]{43}=$/.test(value)
  })

const withoutQuery = ({ url }: Webhook): string => url.split("?")[0] ?? ""

const webhookKind: Kind<Webhook> = {
  type: "webhook",
  in: ({ webhooks }) => webhooks,
  json: (_, { since: _since, tests: _tests, ...webhook }) => ({ ...webhook, lastDelivery }),
  nameOf: withoutQuery,
  members: ["url", "events", "description", "enabled"],
  audited: (_, webhook) => ({ url: withoutQuery(webhook) })
}

const isRefusedAddress = (url: string | undefined): boolean =>
  url !== undefined && URL.parse(url)?.protocol !== "https:"

const addressRefused = { ...refused(400, "webhook_address_not_allowed"), ofState: true as const }

const ofWebhook = ofRecord(webhookKind)

const delivery = (id: unknown): Record<string, unknown> => ({
  id,
  ...Object.fromEntries(
    ["eventId", "type", "attempt", "status", "responseStatus", "error", "at", "nextAttemptAt"].map(
      (name) => [name, new Hole(name, (value) => value !== undefined)] as const
    )
  )
})

export const webhookRules: Readonly<Record<string, Rule>> = {
  listWebhooks: listRule(ListWebhooks, {
    items: ({ organisation }) => [...organisation.webhooks.values()],
    json: ({ organisation }, webhook) => webhookKind.json(organisation, webhook)
  }),
  createWebhook: (turn) =>
    given(CreateWebhook, turn.call, (values) => {
      const { at, organisation } = turn
      if (isRefusedAddress(values.url)) return addressRefused
      if (organisation.webhooks.size >= 20) return refused(409, "too_many_webhooks")
      const webhook: Webhook = {
        ...{ id: "", description: null, ...values, enabled: values.enabled ?? true },
        ...{ createdAt: at, updatedAt: at, version: 1, tests: [], since: organisation.events.length + 1 }
      }
      const answer = created(turn, webhookKind, webhook)
      organisation.subscriptions.push({ url: webhook.url, events: webhook.events })
      return ok(201, { ...answer, secret: secretOf(organisation) }, { etag: '"1"' })
    }),
  getWebhook: ofWebhook((turn, webhook) => shown(turn, webhookKind, webhook)),
  updateWebhook: (turn) =>
    given(UpdateWebhook, turn.call, (values) =>
      ofWebhook((_, webhook) => {
        if (isRefusedAddress(values.url)) return addressRefused
        if (isStale(turn, webhook)) return stale
        change(turn, webhookKind, webhook, values)
        turn.organisation.subscriptions.push({ url: webhook.url, events: webhook.events })
        return shown(turn, webhookKind, webhook)
      })(turn)
    ),
  deleteWebhook: ofWebhook((turn, webhook) => {
    if (isStale(turn, webhook)) return stale
    removed(turn, webhookKind, webhook)
    return ok(204)
  }),
  rotateWebhookSecret: ofWebhook((turn, webhook) => {
    Object.assign(webhook, { version: webhook.version + 1, updatedAt: turn.at })
    emitChange(turn, webhookKind, "updated", webhook, webhook)
    const { organisation } = turn
    const body = { ...webhookKind.json(organisation, webhook), secret: secretOf(organisation) }
    return ok(200, body, etag(webhook))
  }),
  testWebhook: ofWebhook(({ model }, webhook) => ok(200, delivery(newId(model, (id) => void webhook.tests.push(id))))),
  /** Deliveries of which none may be missing that the model knows. */
  listWebhookDeliveries: (turn) =>
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
    ),
  retryWebhookDelivery: ofWebhook(({ call }, { tests }) => {
    const id = uuidIn(call.ids[1])
    return id === undefined || !tests.includes(id) ? refused(404, "delivery_not_found") : ok(200, delivery(id))
  })
}
