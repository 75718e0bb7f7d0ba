/**
 * Events, newest first.
 */
import type { Event, List, ListEvents } from "@solar-sites/http-node/client"
import { infiniteQueryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"

export type EventFilter = Omit<ListEvents, "limit" | "cursor" | "order">

const start = ""

export const eventsQuery = (filter: EventFilter, limit: number) =>
  infiniteQueryOptions({
    queryKey: ["events", filter, limit],
    queryFn: ({ pageParam: cursor, signal }): Promise<List<Event>> =>
      client.events.list({ ...filter, order: "desc", limit, ...(cursor === start ? {} : { cursor }) }, { signal }),
    initialPageParam: start,
    getNextPageParam: ({ nextCursor }) => nextCursor
  })
