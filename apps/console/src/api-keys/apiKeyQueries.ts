/**
 * The list of the keys: names, prefixes and dates, never a key. Their rotations are in the events.
 */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { client } from "../api/client.ts"
import { readAgain } from "../api/queries.ts"

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  // Newest first.
  queryFn: async () => (await ask("GET /console/api-keys")).data.toReversed()
})

const latestRotations = 200

/** Ids of the keys that replaced others, by the ids of those; of the latest rotations. */
export const rotationsQuery = queryOptions({
  queryKey: ["api-keys", "rotations"],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, unknown>> => {
    const query = { type: ["api_key.rotated"], order: "desc", limit: latestRotations } as const
    const { data } = await client.events.list(query, { signal })
    return new Map(data.map(({ changes, subject }) => [subject.id, changes["replacedBy"]?.to]))
  }
})

/** Also the rotations. */
export const refreshApiKeys = (): Promise<void> => readAgain(apiKeysQuery.queryKey)
