/**
 * The list of the keys: names, prefixes and dates, never a key.
 */
import { queryOptions } from "@tanstack/react-query"
import { listApiKeys } from "../api/client.ts"
import { queryClient } from "../api/queries.ts"

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  // Newest first.
  queryFn: async () => (await listApiKeys()).data.toReversed()
})

export const refreshApiKeys = (): Promise<void> => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
