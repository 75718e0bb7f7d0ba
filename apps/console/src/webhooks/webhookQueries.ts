/**
 * The webhooks and their deliveries. Secrets are never in the cache.
 */
import type { WebhookDelivery } from "@solar-sites/http-node/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { readAgain } from "../api/queries.ts"

const webhooksKey = ["webhooks"]
const refreshMillis = 5_000

export const webhooksQuery = queryOptions({
  queryKey: webhooksKey,
  queryFn: async ({ signal }) => (await client.webhooks.list({}, { signal })).data
})

/** Newest first. Read again while one is pending. */
export const deliveriesQuery = (webhookId: string) =>
  queryOptions({
    queryKey: [...webhooksKey, webhookId],
    queryFn: async ({ signal }): Promise<ReadonlyArray<WebhookDelivery>> =>
      (await client.webhooks.listDeliveries(webhookId, {}, { signal })).data.toReversed(),
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ status }) => status === "pending") ? refreshMillis : false
  })

/** Also the deliveries. */
export const refreshWebhooks = (): Promise<void> => readAgain(webhooksKey)
