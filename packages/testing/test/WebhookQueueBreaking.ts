/**
 * Webhooks and deliveries of the in-memory database, for queues that are broken on purpose.
 */
import { type OrganisationId, type WebhookId, WebhookRecord } from "@solar-sites/core"
import type { Database } from "./breaking.ts"

type Webhooks = NonNullable<ReturnType<Database["get"]>>["webhooks"]
type Stored = NonNullable<ReturnType<Webhooks["get"]>>

/** The webhooks of the organisation. */
export const webhooksOf = (database: Database, owner: OrganisationId): Webhooks =>
  database.get(owner)?.webhooks ?? new Map()

/** The deliveries of a webhook of the organisation. */
export const deliveriesOf = (database: Database, owner: OrganisationId, id: WebhookId) =>
  new Map([...(database.get(owner)?.deliveries ?? [])].filter(([, { webhookId }]) => webhookId === id))

/** Changes all webhooks of an organisation. */
export const changeAll = (
  database: Database,
  owner: OrganisationId,
  change: (one: Stored) => Partial<Stored>
): void => {
  const webhooks = webhooksOf(database, owner)
  for (const [id, one] of webhooks) webhooks.set(id, new WebhookRecord({ ...one, ...change(one) }))
}
