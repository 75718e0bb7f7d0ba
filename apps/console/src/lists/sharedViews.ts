/**
 * The views of the list of sites that all users of the organisation see.
 */
import { queryOptions } from "@tanstack/react-query"
import { type Answer, ask } from "../api/ask.ts"
import { queryClient } from "../api/queries.ts"

/** The query string is without the page. */
export type SavedView = Answer<"GET /console/organisation/views">["data"][number]

export const sharedViewsQuery = queryOptions({
  queryKey: ["shared views"],
  queryFn: async () => (await ask("GET /console/organisation/views")).data
})

/** Replaces the view of this name; the query null removes it. */
export const shareView = async (view: { readonly name: string; readonly query: string | null }): Promise<void> => {
  const { data } = await ask("PUT /console/organisation/views", { payload: view })
  queryClient.setQueryData(sharedViewsQuery.queryKey, data)
}
