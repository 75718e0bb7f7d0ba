/**
 * Rules of webhooks (specification, section 12). Of the deliveries in lists the model knows the tests
 * alone; `Deliveries.ts` judges what receivers get.
 */
import {
  changesOf,
  type Expected,
  emit,
  etag,
  idOf,
  invalid,
  isStale,
  ok,
  type Rule,
  refused,
  stale,
  type Turn,
  uuidIn
} from "../Call.ts"
import { listRule, paging } from "../List.ts"
import { Hole, newId } from "../Match.ts"
import { flag, isRecord, type Member, type Members, read, readQuery, text } from "../Members.ts"
import type { Organisation, Webhook } from "../ModelState.ts"

const kinds = ["site", "portfolio", "document", "api_key", "user", "webhook", "requirements", "organisation"]

const isEvent = (value: unknown): boolean =>
  typeof value === "string" &&
  (value === "*" || kinds.some((kind) => value === `${kind}.*` || value === `${kind}.updated`))

const eventsMember: Member = {
  holds: (value) => Array.isArray(value) && value.length > 0 && value.length <= 50 && value.every(isEvent),
  inside: (value, pointer) =>
    Array.isArray(value) && value.length > 0
      ? value.flatMap((one, index) => (isEvent(one) ? [] : [`${pointer}/${index}`]))
      : [pointer],
  required: true
}

const members: Members = {
  url: { holds: (value) => typeof value === "string" && URL.canParse(value) && value.length <= 2_048, required: true },
  events: eventsMember,
  description: text(500),
  enabled: { ...flag }
}

const readOnly = ["id", "createdAt", "updatedAt", "version", "lastDelivery", "secret", "organisationId"]

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
  const changes = changesOf(withoutQuery(from), withoutQuery(to), ["url", "events", "description", "enabled"])
  emit(turn, type, subject, null, changes)
}

const isRefusedAddress = ({ url }: Readonly<Record<string, unknown>>): boolean =>
  url !== undefined && URL.parse(String(url))?.protocol !== "https:"

const createWebhook: Rule = (turn) => {
  const { at, call, organisation, model } = turn
  const { pointers, values } = read(members, readOnly, call.body, "create")
  if (pointers.length > 0) return invalid(pointers)
  if (isRefusedAddress(values)) return { ...refused(400, "webhook_address_not_allowed"), ofState: true }
  if (organisation.webhooks.size >= 20) return refused(409, "too_many_webhooks")
  const webhook: Webhook = Object.assign(
    {
      ...{ id: "", url: "", events: [], description: null, enabled: true, createdAt: at, updatedAt: at, version: 1 },
      ...{ tests: [], since: 0 }
    },
    values
  )
  const id = newId(model, (found) => {
    webhook.id = found
    organisation.webhooks.set(found, webhook)
    emitWebhook(turn, "webhook.created", null, webhook)
    webhook.since = organisation.events.length
    organisation.subscriptions.push({ url: webhook.url, events: webhook.events })
  })
  return ok(201, { ...json(webhook), id, secret: secretOf(organisation) }, { etag: '"1"' })
}

const ofWebhook =
  (answer: (turn: Turn, webhook: Webhook) => Expected): Rule =>
  (turn) => {
    const webhook = turn.organisation.webhooks.get(idOf(turn))
    return webhook === undefined ? refused(404, "webhook_not_found") : answer(turn, webhook)
  }

const updateWebhook: Rule = (turn) => {
  const { pointers, values } = read(members, readOnly, turn.call.body, "change")
  if (pointers.length > 0) return invalid(pointers)
  return ofWebhook((_, webhook) => {
    if (isRefusedAddress(values)) return { ...refused(400, "webhook_address_not_allowed"), ofState: true }
    if (isStale(turn, webhook)) return stale
    const before = { ...webhook }
    const after = {
      ...webhook,
      ...values,
      enabled: values["enabled"] === null ? true : (values["enabled"] ?? webhook.enabled)
    }
    if (Object.keys(changesOf({ ...before }, after, Object.keys(members))).length > 0) {
      Object.assign(webhook, after, { version: before.version + 1, updatedAt: turn.at })
      turn.organisation.subscriptions.push({ url: webhook.url, events: webhook.events })
      emitWebhook(turn, "webhook.updated", before, webhook)
    }
    return ok(200, json(webhook), etag(webhook))
  })(turn)
}

const delivery = (id: unknown): Record<string, unknown> => ({
  id,
  ...Object.fromEntries(
    ["eventId", "type", "attempt", "status", "responseStatus", "error", "at", "nextAttemptAt"].map(
      (name) => [name, new Hole(name, (value) => value !== undefined)] as const
    )
  )
})

/** Deliveries of which none may be missing that the model knows. */
const listWebhookDeliveries: Rule = (turn) => {
  const { pointers } = readQuery(paging(), turn.call.query)
  if (pointers.length > 0) return invalid(pointers)
  return ofWebhook((_, { tests }) => {
    const isComplete = turn.call.query.length === 0
    const data = new Hole(`the deliveries ${tests.join()}`, (found) => {
      if (!Array.isArray(found)) return false
      const ids = found.map((one: unknown) => (isRecord(one) ? one["id"] : undefined))
      return !isComplete || tests.every((id) => ids.includes(id))
    })
    return ok(200, {
      data,
      nextCursor: new Hole("a cursor or null", (value) => value === null || typeof value === "string")
    })
  })(turn)
}

export const webhookRules: Readonly<Record<string, Rule>> = {
  listWebhooks: listRule<Webhook>(paging(), ({ organisation }) => ({
    items: [...organisation.webhooks.values()],
    json
  })),
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
