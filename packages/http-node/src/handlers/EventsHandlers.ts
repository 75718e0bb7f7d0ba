/**
 * Serves the feed of events by calling `Events`.
 */
import { Events, type ListEvents } from "@solar-sites/core"
import { Effect } from "effect"
import { EventsApi } from "../contract/EventsApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { reply } from "../pipeline/Reply.ts"
import { replyList } from "./ListReply.ts"

export const eventsHandlers = Effect.map(Events, (events) => {
  // The cursor at the end of the feed is for clients that ask for a page, and must not be followed here.
  const listToEnd = (query: ListEvents) =>
    Effect.map(events.list(query), (list) =>
      list.data.length === query.limit ? list : { data: list.data, nextCursor: null }
    )
  return serveGroup(EventsApi, {
    list: ({ query }) =>
      query.limit === undefined ? replyList(query, listToEnd) : Effect.map(events.list(query), reply)
  })
})
