/**
 * Serves the feed of events by calling `Events`.
 */
import { Event, Events, type ListEvents } from "@solar-sites/core"
import { Effect } from "effect"
import { EventsApi } from "../contract/EventsApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { reply } from "../pipeline/Reply.ts"
import { csvReplyOf } from "./CsvReply.ts"
import { replyList } from "./ListReply.ts"

const replyCsv = csvReplyOf("events", Event)

export const eventsHandlers = Effect.map(Events, (events) => {
  // The cursor at the end of the feed is for clients that ask for a page, and must not be followed here.
  const listToEnd = Effect.fnUntraced(function* (query: ListEvents) {
    const list = yield* events.list(query)
    const { nextCursor } = list
    if (list.data.length === query.limit || nextCursor === null) return list
    // A page can be short because its events are large.
    const rest = yield* events.list({ ...query, cursor: nextCursor, limit: 1 })
    return rest.data.length > 0 ? list : { data: list.data, nextCursor: null }
  })
  return serveGroup(
    EventsApi,
    {
      list: ({ query }) =>
        query.limit === undefined ? replyList(query, listToEnd) : Effect.map(events.list(query), reply)
    },
    {
      csv: {
        list: ({ pageAt, query }) => replyCsv(query, pageAt, query.limit === undefined ? listToEnd : events.list)
      }
    }
  )
})
