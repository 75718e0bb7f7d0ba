/**
 * Operations of events and webhooks, and those about the service itself.
 */
import { type Case, mebibyte, nothing, once, page } from "./Case.ts"
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
  {
    operation: "listEvents",
    input: "a page of changes of the largest sites",
    answerBytes: page,
    storedBytes: 100_000,
    prepare: async (ask, { largeSites }) => {
      await createLarge(ask, largeSites)
      return ["GET /api/events?limit=1000"]
    }
  },
  {
    operation: "createWebhook",
    input: "the largest",
    answerBytes: 20_000,
    storedBytes: 100_000,
    prepare: once("POST /api/webhooks", largestWebhook)
  },
  {
    operation: "updateWebhook",
    input: "the largest",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: async (ask) => [`PUT /api/webhooks/${(await createWebhooks(ask, 1))[0]}`, largestWebhook]
  },
  {
    operation: "getWebhook",
    input: "the largest",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofWebhook((id) => `GET /api/webhooks/${id}`)
  },
  {
    operation: "listWebhooks",
    input: "20 largest",
    answerBytes: 200_000,
    storedBytes: nothing,
    prepare: async (ask) => {
      for (const webhook of several(20, () => largestWebhook)) await ask("POST /api/webhooks", webhook)
      return ["GET /api/webhooks"]
    }
  },
  {
    operation: "rotateWebhookSecret",
    input: "of the largest",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofWebhook((id) => `POST /api/webhooks/${id}/rotate-secret`)
  },
  {
    operation: "testWebhook",
    input: "the largest",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofWebhook((id) => `POST /api/webhooks/${id}/test`)
  },
  {
    operation: "listWebhookDeliveries",
    input: "20",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofDelivered((id) => `GET /api/webhooks/${id}/deliveries`)
  },
  {
    operation: "retryWebhookDelivery",
    input: "of the largest webhook",
    answerBytes: 20_000,
    storedBytes: nothing,
    prepare: ofDelivered((id, delivery) => `POST /api/webhooks/${id}/deliveries/${delivery}/retry`)
  },
  {
    operation: "deleteWebhook",
    input: "with 20 deliveries",
    answerBytes: 0,
    storedBytes: nothing,
    prepare: ofDelivered((id) => `DELETE /api/webhooks/${id}`)
  },
  {
    operation: "getMetrics",
    input: "of the server",
    answerBytes: 200_000,
    storedBytes: nothing,
    needsServer: true,
    prepare: once("GET /metrics")
  },
  ...ofService.map(
    ([operation, input, path, answerBytes]): Case => ({
      operation,
      input,
      answerBytes,
      storedBytes: nothing,
      prepare: once(`GET ${path}`)
    })
  ),
  // Last, since attempts go on for days. The first ones begin within 5 s.
  {
    operation: "bulkSites",
    input: "1,000 smallest sites, 20 webhooks",
    answerBytes: mebibyte,
    storedBytes: 24 * mebibyte,
    storesAfterMillis: 6_000,
    prepare: async (ask) => {
      await createWebhooks(ask, 20)
      return ["POST /api/sites/bulk", { sites: several(1_000, () => aSite) }]
    }
  }
]
