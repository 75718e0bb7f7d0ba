/**
 * Numbers of webhooks that users see (specification, section 12). Rules, statements, the HTTP contract and the
 * console take them from here.
 */
import { Duration } from "effect"

/** Maximum number of webhooks per organisation. */
export const maximumWebhooks = 20

/**
 * Deliveries of a webhook that are kept: those that ended less than 30 days ago, at most the latest
 * 10,000. At most 10,000 are pending; further events wait in the event log.
 */
export const keptWebhookDeliveries = { days: 30, ended: 10_000, pending: 10_000 }

/**
 * Attempts of a delivery. The delay after the first one is multiplied after each further one, up to the longest. The
 * last one is made within `life` after the creation of the delivery.
 */
export const webhookRetries = {
  firstDelay: Duration.seconds(10),
  factor: 3,
  longestDelay: Duration.hours(6),
  life: Duration.days(3)
}

/** Longest time that an attempt waits for the answer of the receiver. */
export const webhookTimeout = Duration.seconds(10)

/** A webhook without a successful delivery for this long is disabled. */
export const webhookDisabledAfter = Duration.days(5)

/** After a rotation the secret before it signs for this long. */
export const webhookSecretOverlap = Duration.hours(24)
