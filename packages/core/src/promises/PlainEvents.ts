/**
 * The JSON form of events.
 *
 * @since 0.1.0
 */
import type { Event, ListEvents } from "../events/Event.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PlainEvent = typeof Event.Encoded

/**
 * @category models
 * @since 0.1.0
 */
export type PlainListEvents = typeof ListEvents.Encoded
