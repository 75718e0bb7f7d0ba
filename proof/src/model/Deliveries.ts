/**
 * What receivers of webhooks got: own events alone, signed with an own secret, and none missing
 * (specification, section 12).
 */
import { createHmac } from "node:crypto"
import { difference, isRecord } from "./Match.ts"
import type { ModelState, Organisation } from "./ModelState.ts"
import { isOfType, unforeseen } from "./rules/Events.ts"
import { Mismatch, type TestRun } from "./TestRun.ts"
import type { Delivery } from "./targets/Target.ts"

/** The event types of a subscription; `*` is all. */
const typesOf = (events: ReadonlyArray<string>): ReadonlyArray<string> => (events.includes("*") ? [] : events)

/** One of the signatures fits an own secret. */
const isSigned = ({ webhookSecrets }: Organisation, { body, headers }: Delivery): boolean => {
  const { "webhook-id": id, "webhook-signature": signatures = "", "webhook-timestamp": at } = headers
  return webhookSecrets.some((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64")
    const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")
    return signatures.split(" ").includes(`v1,${signature}`)
  })
}

const eventIn = ({ body }: Delivery): Record<string, unknown> => Object(JSON.parse(body).data)

/** A reason why the delivery is wrong. */
const faultOf = ({ organisations }: ModelState, delivery: Delivery): string | undefined => {
  const owner = organisations.find(({ marker }) => delivery.url.includes(`/${marker}/`))
  if (owner === undefined) return "goes to an address of no organisation"
  if (!isSigned(owner, delivery)) return "is not signed with a secret of its organisation"
  const shown = organisations.find((other) => other !== owner && delivery.body.includes(other.marker))
  if (shown !== undefined) return `shows ${shown.marker} of another organisation`
  const data = eventIn(delivery)
  const type = String(data["type"])
  if (type === "webhook.test" || owner.status === "deleted") return undefined
  const isWanted = owner.subscriptions.some(
    ({ events, url }) => url === delivery.url && isOfType({ type }, typesOf(events))
  )
  if (!isWanted) return "is of no wanted type"
  if (delivery.headers["webhook-id"] !== data["id"]) return "has another id than its event"
  const event = owner.events.find(({ id }) => id === data["id"])
  if (event !== undefined) return difference({ ...event }, data)
  return unforeseen.has(type) ? undefined : "is of no event of its organisation"
}

/** Events that a webhook, which nothing has changed since its creation, was not told. */
const missingIn = ({ events, webhooks }: Organisation, deliveries: ReadonlyArray<Delivery>): string | undefined => {
  for (const { enabled, events: wanted, since, url, version } of webhooks.values()) {
    if (!enabled || version > 1) continue
    const told = new Set(deliveries.filter((one) => one.url === url).map((one) => eventIn(one)["id"]))
    const missing = events.slice(since).find((event) => isOfType(event, typesOf(wanted)) && !told.has(event.id))
    if (missing !== undefined) return `${url} was not told ${missing.type} ${JSON.stringify(missing.subject)}`
  }
  return undefined
}

/** Why the deliveries are not those of the model. */
const faultIn = (model: ModelState, deliveries: ReadonlyArray<Delivery>): string | undefined => {
  for (const delivery of deliveries) {
    const fault = isRecord(JSON.parse(delivery.body)) ? faultOf(model, delivery) : "is no object"
    if (fault !== undefined) return `a delivery ${fault}\n${delivery.url} ${delivery.body}`
  }
  const living = model.organisations.filter(({ status }) => status !== "deleted")
  return living.map((organisation) => missingIn(organisation, deliveries)).find((missing) => missing !== undefined)
}

/**
 * Judges all deliveries, once all events are listed and their time has come. Models of other orders
 * of concurrent calls expect other ones.
 */
export const judgeDeliveries = ({ models, target }: TestRun): void => {
  const deliveries = target.deliveries?.()
  if (deliveries === undefined) return
  const faults = models.map((model) => faultIn(model, deliveries))
  const [fault] = faults
  if (fault !== undefined && !faults.includes(undefined)) throw new Mismatch(fault)
}
