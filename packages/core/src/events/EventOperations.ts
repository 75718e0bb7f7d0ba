/**
 * The operations on events: JSON forms, promises and rows.
 */
import type { OperationOptions } from "../caller/CallOptions.ts"
import { read } from "../caller/Operation.ts"
import { type List, listOf } from "../lists/Page.ts"
import { Event, ListEvents } from "./Event.ts"

export type PlainEvent = typeof Event.Encoded

export type PlainListEvents = typeof ListEvents.Encoded

export interface EventOperations<Options extends OperationOptions = OperationOptions> {
  /**
   * Ascending by `sequence`; complete without `limit`. With `limit`, in ascending order, `nextCursor`
   * is never null: at the end it is the place from which to go on later.
   */
  readonly list: (query?: PlainListEvents, options?: Options["read"]) => Promise<List<PlainEvent>>
}

export const eventOperations = {
  list: read({ scopes: ["events:read"], input: ListEvents, output: listOf(Event), refusals: [] })
}
