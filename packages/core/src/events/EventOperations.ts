/**
 * The operations on events.
 */
import { read } from "../caller/Operation.ts"
import { listOf } from "../persistence/Page.ts"
import { Event, ListEvents } from "./Event.ts"

export const eventOperations = {
  list: read({ scopes: ["events:read"], input: ListEvents, output: listOf(Event), refusals: [] })
}
