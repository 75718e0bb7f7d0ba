/**
 * Reads the news of one state from the feed of events.
 */
import { queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { type EndingState, newEndingsOf, pageOfNews, placeOf } from "./newEndings.ts"

/** The first visit shows the events of these days. */
const daysOfFirstVisit = 30

/** `owner` names the organisation and the user. */
export const newEndingsQuery = (owner: string, state: EndingState) =>
  queryOptions({
    queryKey: ["events", "new-endings", owner, state],
    queryFn: async ({ signal }) => {
      const place = placeOf(owner, state)
      const from = new Date(Date.now() - daysOfFirstVisit * 86_400_000).toISOString()
      const since = place === null ? { from } : { cursor: place }
      return newEndingsOf(
        await client.events.list({ type: [`document.${state}`], order: "asc", limit: pageOfNews, ...since }, { signal })
      )
    },
    refetchInterval: 300_000,
    staleTime: 60_000
  })
