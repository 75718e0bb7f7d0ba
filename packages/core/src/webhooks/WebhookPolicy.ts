/**
 * Numbers of webhooks that users see (specification, section 12). Rules, statements, the HTTP contract and the
 * console take them from here.
 */

/** Maximum number of webhooks per organisation. */
export const maximumWebhooks = 20

/**
 * Deliveries of a webhook that are kept: those that ended less than 30 days ago, at most the latest
 * 10,000. At most 10,000 are pending; further events wait in the event log.
 */
export const keptWebhookDeliveries = { days: 30, ended: 10_000, pending: 10_000 }

/**
 * Attempts of a delivery. The delay after the first one is multiplied by `factor` after each further one, up to the
 * longest. The last attempt is made within so many days after the creation of the delivery.
 */
export const webhookRetries = { firstDelaySeconds: 10, factor: 3, longestDelayHours: 6, days: 3 }

/** Longest time that an attempt waits for the answer of the receiver. */
export const webhookTimeoutSeconds = 10

/** A webhook without a successful delivery for so many days is disabled. */
export const webhookDisabledAfterDays = 5

/** Hours after a rotation in which the secret before it signs, too. */
export const webhookSecretOverlapHours = 24
