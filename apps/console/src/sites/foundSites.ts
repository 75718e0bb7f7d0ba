/**
 * Sites that the server finds for a typed text, to choose from.
 */
import { useDebouncedValue } from "@mantine/hooks"
import type { Site } from "@solar-sites/http-node/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { client } from "../api/client.ts"

const typingMillis = 200
const shown = 50

export const useFoundSites = (typed: string): ReadonlyArray<Site> => {
  const [q] = useDebouncedValue(typed.trim(), typingMillis)
  const { data } = useQuery({
    queryKey: ["sites", "found", q],
    queryFn: ({ signal }) =>
      client.sites.list({ ...(q === "" ? {} : { q }), sort: "siteName", limit: shown }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000
  })
  return data?.data ?? []
}
