/**
 * Totals for the first page, and what depends on them.
 */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { client } from "../api/client.ts"

// Pages that change the totals do not know of this query.
const refetchOnMount = "always"

export const overviewQuery = queryOptions({
  queryKey: ["organisation-overview"],
  queryFn: () => ask("GET /console/organisation/overview"),
  refetchOnMount
})

const shown = 5

/** The oldest sites with a document that expires soon, or has expired. */
export const sitesToRenewQuery = queryOptions({
  queryKey: ["coverage", "to-renew"],
  queryFn: async ({ signal }) => {
    const read = async (state: "expired" | "expiring") =>
      (await client.coverage.list({ state, limit: shown }, { signal })).data.flatMap(({ items, siteId, siteName }) =>
        items.filter((item) => item.state === state).map((item) => ({ ...item, siteId, siteName }))
      )
    const [expired, expiring] = await Promise.all([read("expired"), read("expiring")])
    return [...expired, ...expiring]
      .toSorted((a, b) => (a.validUntil ?? "").localeCompare(b.validUntil ?? ""))
      .slice(0, shown)
  },
  refetchOnMount
})
