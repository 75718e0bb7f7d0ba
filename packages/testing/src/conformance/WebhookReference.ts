/**
 * The compared state of webhooks and their deliveries. The adapter chooses ids of deliveries, and of events with their
 * sequences. Positions in the log of events replace them.
 */
import {
  type Event,
  type OrganisationId,
  Records,
  type WebhookClaim,
  type WebhookDelivery,
  type WebhookDeliveryRecord,
  type WebhookRecord,
  webhookDeliveryKind,
  webhookKind
} from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { assert } from "./Assert.ts"
import { storedEvents } from "./EventSetup.ts"
import { withoutOrder } from "./Reference.ts"

const everything = { after: null, limit: 1_000 }

const namesIn = (events: ReadonlyArray<Event>) => ({
  position: (sequence: number | null) => sequence && events.filter((event) => event.sequence <= sequence).length,
  named: <D extends Pick<WebhookDelivery, "id" | "eventId">>(delivery: D) => {
    const index = events.findIndex(({ id }) => id === delivery.eventId)
    return index < 0 ? delivery : { ...delivery, id: `of event ${index}`, eventId: index }
  }
})

/** All webhooks and deliveries of the organisation, and its events. */
export const webhooksOf = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { list } = yield* Records
  const events = yield* storedEvents(organisationId)
  const { named, position } = namesIn(events)
  const webhooks = yield* list("Records.list", organisationId, webhookKind, { page: everything })
  const deliveries = yield* list("Records.list", organisationId, webhookDeliveryKind, { page: everything })
  return {
    // A list of a kind has records of that kind.
    webhooks: (webhooks.items as ReadonlyArray<WebhookRecord>).map(
      ({ dispatchedSequence, lastDelivery, secrets, ...webhook }) => ({
        ...webhook,
        secrets: secrets.map(({ secret, until }) => [Redacted.value(secret), until]),
        position: position(dispatchedSequence),
        lastDelivery: lastDelivery && named(lastDelivery)
      })
    ),
    deliveries: (deliveries.items as ReadonlyArray<WebhookDeliveryRecord>)
      .map((delivery) => ({ ...named(delivery), eventSequence: position(delivery.eventSequence) }))
      .toSorted((a, b) => (`${a.webhookId} ${a.id}` < `${b.webhookId} ${b.id}` ? -1 : 1)),
    events: events.map(withoutOrder)
  }
})

/** The claim with names of its deliveries and events. */
export const shownClaim = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  { deliveries, secrets, url }: WebhookClaim
) {
  const events = yield* storedEvents(organisationId)
  const { named } = namesIn(events)
  return {
    url,
    secrets: secrets.map(Redacted.value),
    deliveries: deliveries.map(({ createdAt, delivery, event }) => {
      const logged = event && events.find(({ id }) => id === event.id)
      assert.deepEqual(event, logged, "the event of the log")
      return { delivery: named(delivery), createdAt, hasEvent: event !== null }
    })
  }
})
