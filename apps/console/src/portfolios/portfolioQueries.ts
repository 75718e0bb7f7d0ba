/**
 * The portfolios as they were read, by name.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { client } from "../api/client.ts"
import { readAgain } from "../api/queries.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

export const portfoliosQuery = queryOptions({
  queryKey: ["portfolios"],
  queryFn: ({ signal }) => client.portfolios.list({}, { signal }),
  select: ({ data }): ReadonlyArray<Portfolio> => data.toSorted((a, b) => compare(a.name, b.name))
})

export const portfolioQuery = (portfolioId: string) =>
  queryOptions({
    queryKey: ["portfolios", "one", portfolioId],
    queryFn: ({ signal }) => client.portfolios.get(portfolioId, { signal })
  })

/** Reads all queries about portfolios again, and the totals of sites in none. */
export const refreshPortfolios = (): Promise<void> => readAgain(portfoliosQuery.queryKey, overviewQuery.queryKey)

export interface PortfolioNames {
  readonly portfolios: ReadonlyArray<Portfolio>
  /** Empty for sites in no portfolio. */
  readonly nameOf: (portfolioId: string | null) => string
  readonly isReading: boolean
}

/** Empty until the portfolios are loaded. */
export const usePortfolioNames = (): PortfolioNames => {
  const { data, isPending } = useQuery(portfoliosQuery)
  return useMemo(() => {
    const portfolios = data ?? []
    const names = new Map(portfolios.map(({ id, name }) => [id, name]))
    return { portfolios, nameOf: (id) => (id === null ? "" : (names.get(id) ?? "")), isReading: isPending }
  }, [data, isPending])
}
