import type { WebhookOperations } from "@solar-sites/core"

export const newWebhook = { url: "https://example.com/events", events: ["site.*", "*"] } as const

const unknown = "01890000-0000-7000-8000-000000000000"
const invalid = "../portfolios"

interface Ids {
  readonly webhook: string
  readonly delivery: string
}

/** Calls of every operation on webhooks. */
export const webhookCalls: {
  readonly [Name in keyof WebhookOperations]: ReadonlyArray<
    (method: WebhookOperations[Name], ids: Ids) => Promise<unknown>
  >
} = {
  create: [
    (create) => create({ ...newWebhook, description: "Archive", enabled: false }),
    (create) => create({ ...newWebhook, url: "http://example.com" }),
    (create) => create({ url: "https://ada@example.com", events: [], description: "\u0000" })
  ],
  get: [(get, { webhook }) => get(webhook), (get) => get(unknown), (get) => get(invalid)],
  list: [(list) => list(), (list) => list({ limit: 1 }), (list) => list({ cursor: "x" })],
  update: [
    (update, { webhook }) => update(webhook, { events: ["document.uploaded"] }, { expectedVersion: 1 }),
    (update, { webhook }) => update(webhook, { enabled: false }, { expectedVersion: 2 }),
    (update, { webhook }) => update(webhook, { url: "http://example.com" }),
    (update) => update(invalid, { events: ["site.opened" as never] })
  ],
  delete: [(remove, { webhook }) => remove(webhook), (remove) => remove(unknown, { expectedVersion: 1 })],
  rotateSecret: [(rotate, { webhook }) => rotate(webhook), (rotate) => rotate(invalid)],
  test: [(test, { webhook }) => test(webhook), (test) => test(unknown)],
  listDeliveries: [
    (list, { webhook }) => list(webhook),
    (list, { webhook }) => list(webhook, { limit: 0 }),
    (list) => list(unknown)
  ],
  retry: [
    (retry, { delivery, webhook }) => retry(webhook, delivery),
    (retry, { webhook }) => retry(webhook, unknown),
    (retry, { webhook }) => retry(webhook, invalid),
    (retry, { delivery }) => retry(unknown, delivery)
  ]
}
