/**
 * The largest legal inputs, and the ones that make most of few bytes; here those of events and webhooks, and
 * of the service itself.
 */
import type { Ask } from "../fuzz/Target.ts"
import { after, type Case, casesOf, mebibyte, nothing, once, page } from "./Case.ts"
import { documentCases } from "./DocumentInputs.ts"
import { portfolioCases, siteCases } from "./RecordInputs.ts"
import { aSite, createLarge, createWebhooks, receiver, several, wide } from "./Sizes.ts"

const [webhooks, webhook] = ["/api/webhooks", "/api/webhooks/{id}"]

const largest = { url: `${receiver}?${"a".repeat(2_000)}`, events: several(50, () => "*"), description: wide(500) }

const createLargest = async (ask: Ask) => (await ask(`POST ${webhooks}`, largest)).id

const create20Largest = async (ask: Ask): Promise<void> => {
  for (const one of several(20, () => largest)) await ask(`POST ${webhooks}`, one)
}

/** With 20 deliveries; returns the last one's place among those of the webhook. */
const createDelivered = async (ask: Ask): Promise<{ readonly id: string; readonly delivery: string }> => {
  const id = await createLargest(ask)
  let delivery = ""
  for (const path of several(20, () => `POST ${webhooks}/${id}/test`)) delivery = (await ask(path)).id
  return { id, delivery }
}

const createWithDeliveries = async (ask: Ask) => (await createDelivered(ask)).id

const createDelivery = async (ask: Ask): Promise<string> => {
  const { delivery, id } = await createDelivered(ask)
  return `${id}/deliveries/${delivery}`
}

const otherCases = casesOf({
  listEvents: {
    "a page of changes of the largest sites": [
      page,
      after((ask, { largeSites }) => createLarge(ask, largeSites), "GET /api/events?limit=1000"),
      100_000
    ]
  },
  createWebhook: { "the largest": [20_000, once(`POST ${webhooks}`, largest), 100_000] },
  updateWebhook: {
    "the largest": [20_000, after((ask) => createWebhooks(ask, 1), `PUT ${webhook}`, largest)]
  },
  getWebhook: { "the largest": [20_000, after(createLargest, `GET ${webhook}`)] },
  listWebhooks: { "20 largest": [200_000, after(create20Largest, `GET ${webhooks}`)] },
  rotateWebhookSecret: { "of the largest": [20_000, after(createLargest, `POST ${webhook}/rotate-secret`)] },
  testWebhook: { "the largest": [20_000, after(createLargest, `POST ${webhook}/test`)] },
  listWebhookDeliveries: { "20": [20_000, after(createWithDeliveries, `GET ${webhook}/deliveries`)] },
  retryWebhookDelivery: {
    "of the largest webhook": [20_000, after(createDelivery, `POST ${webhook}/retry`)]
  },
  deleteWebhook: { "with 20 deliveries": [0, after(createWithDeliveries, `DELETE ${webhook}`)] },
  getMetrics: { "of the server": [200_000, once("GET /metrics"), nothing, { needsServer: true }] },
  getMe: { "the caller": [10_000, once("GET /api/me")] },
  getLiveness: { "of the server": [1_000, once("GET /health/live")] },
  getReadiness: { "of the server": [10_000, once("GET /health/ready")] },
  getOpenApi: { "the document": [mebibyte, once("GET /openapi.json")] },
  getDocs: { "the page with its script": [4 * mebibyte, once("GET /docs")] },
  // Last, since attempts go on for days. The first ones begin within 5 s.
  bulkSites: {
    "1,000 smallest sites, 20 webhooks": [
      mebibyte,
      after((ask) => createWebhooks(ask, 20), "POST /api/sites/bulk", { sites: several(1_000, () => aSite) }),
      24 * mebibyte,
      { storesAfterMillis: 6_000 }
    ]
  }
})

export const cases: ReadonlyArray<Case> = [...siteCases, ...portfolioCases, ...documentCases, ...otherCases]
