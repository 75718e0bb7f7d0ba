/** The JSON form of events. */
import type { Event, ListEvents } from "../events/Event.ts"

export type PlainEvent = typeof Event.Encoded

export type PlainListEvents = typeof ListEvents.Encoded
