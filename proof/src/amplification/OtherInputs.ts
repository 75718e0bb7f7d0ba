/**
 * Operations of events and webhooks, and those about the service itself.
 */
import { type Case, caseOf, mebibyte, nothing, once, page } from "./Case.ts"
import { aSite, createLarge, createWebhooks, receiver, several, wide } from "./Sizes.ts"

const largestWebhook = {
  url: `${receiver}?${"a".repeat(2_000)}`,
  events: several(50, () => "*"),
  description: wide(500)
}

const ofWebhook =
  (line: (id: string) => string): Case["prepare"] =>
  async (ask) => [line((await ask("POST /api/webhooks", largestWebhook)).id)]

const ofDelivered =
  (line: (id: string, delivery: string) => string): Case["prepare"] =>
  async (ask) => {
    const { id } = await ask("POST /api/webhooks", largestWebhook)
    let delivery = ""
    for (const path of several(20, () => `POST /api/webhooks/${id}/test`)) delivery = (await ask(path)).id
    return [line(id, delivery)]
  }

/** These have no input. */
const ofService = [
  ["getMe", "the caller", "/api/me", 10000],
  ["getLiveness", "of the server", "/health/live", 1000],
  ["getReadiness", "of the server", "/health/ready", 10000],
  ["getOpenApi", "the document", "/openapi.json", mebibyte],
  ["getDocs", "the page with its script", "/docs", 4 * mebibyte]
] as const

export const otherCases: ReadonlyArray<Case> = [
  caseOf(
    "listEvents",
    "a page of changes of the largest sites",
    { answer: page, stored: 100_000 },
    async (ask, { largeSites }) => {
      await createLarge(ask, largeSites)
      return ["GET /api/events?limit=1000"]
    }
  ),
  caseOf(
    "createWebhook",
    "the largest",
    { answer: 20_000, stored: 100_000 },
    once("POST /api/webhooks", largestWebhook)
  ),
  caseOf("updateWebhook", "the largest", { answer: 20_000, stored: nothing }, async (ask) => [
    `PUT /api/webhooks/${(await createWebhooks(ask, 1))[0]}`,
    largestWebhook
  ]),
  caseOf(
    "getWebhook",
    "the largest",
    { answer: 20_000, stored: nothing },
    ofWebhook((id) => `GET /api/webhooks/${id}`)
  ),
  caseOf("listWebhooks", "20 largest", { answer: 200_000, stored: nothing }, async (ask) => {
    for (const webhook of several(20, () => largestWebhook)) await ask("POST /api/webhooks", webhook)
    return ["GET /api/webhooks"]
  }),
  caseOf(
    "rotateWebhookSecret",
    "of the largest",
    { answer: 20_000, stored: nothing },
    ofWebhook((id) => `POST /api/webhooks/${id}/rotate-secret`)
  ),
  caseOf(
    "testWebhook",
    "the largest",
    { answer: 20_000, stored: nothing },
    ofWebhook((id) => `POST /api/webhooks/${id}/test`)
  ),
  caseOf(
    "listWebhookDeliveries",
    "20",
    { answer: 20_000, stored: nothing },
    ofDelivered((id) => `GET /api/webhooks/${id}/deliveries`)
  ),
  caseOf(
    "retryWebhookDelivery",
    "of the largest webhook",
    { answer: 20_000, stored: nothing },
    ofDelivered((id, delivery) => `POST /api/webhooks/${id}/deliveries/${delivery}/retry`)
  ),
  caseOf(
    "deleteWebhook",
    "with 20 deliveries",
    { answer: 0, stored: nothing },
    ofDelivered((id) => `DELETE /api/webhooks/${id}`)
  ),
  caseOf("getMetrics", "of the server", { answer: 200_000, stored: nothing }, once("GET /metrics"), {
    needsServer: true
  }),
  ...ofService.map(([operation, input, path, answer]) =>
    caseOf(operation, input, { answer, stored: nothing }, once(`GET ${path}`))
  ),
  // Last, since attempts go on for days. The first ones begin within 5 s.
  caseOf(
    "bulkSites",
    "1,000 smallest sites, 20 webhooks",
    { answer: mebibyte, stored: 24 * mebibyte },
    async (ask) => {
      await createWebhooks(ask, 20)
      return ["POST /api/sites/bulk", { sites: several(1_000, () => aSite) }]
    },
    { storesAfterMillis: 6_000 }
  )
]
