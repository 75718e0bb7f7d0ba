import { type CallsOf, invalid, newWebhook, unknown } from "./OperationScene.ts"

/** Calls of operations on webhooks, for the comparison of library and client. */
export const webhookCalls: CallsOf<"webhooks"> = {
  create: [
    (create) => create({ ...newWebhook, description: "Archive", enabled: false }),
    (create) => create({ ...newWebhook, url: "http://example.com" }),
    (create) => create({ url: "https://ada@example.com", events: [], description: "\u0000" })
  ],
  list: [(list) => list({ limit: 1 }), (list) => list({ cursor: "x" })],
  update: [
    (update, { webhook }) => update(webhook, { events: ["document.uploaded"] }, { expectedVersion: 1 }),
    (update, { webhook }) => update(webhook, { url: "http://example.com" }),
    (update) => update(invalid, { events: ["site.opened" as never] })
  ],
  delete: [(remove) => remove(unknown, { expectedVersion: 1 })]
}
