/**
 * The sample data that the organisation has.
 */
import type { ApiScope } from "@solar-sites/core/model"
import type { Portfolio, Site } from "@solar-sites/http-node/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { can, useSession } from "../shell/session.ts"

const needed: ReadonlyArray<ApiScope> = [
  "sites:write",
  "portfolios:write",
  "documents:write",
  "documents:approve",
  "requirements:write"
]

/** True for owners and admins without a limit to portfolios. */
export const useCanUseSamples = (): boolean => {
  const session = useSession()
  return needed.every((scope) => can(session, scope))
}

export interface Samples {
  readonly sites: ReadonlyArray<Site>
  readonly portfolios: ReadonlyArray<Portfolio>
}

/** Marks each sample site. */
export const sampleTag = "sample"

/** Beginnings of external ids. */
export const portfolioPrefix = "sample-portfolio-"
export const sitePrefix = "sample-site-"

// More than there can be.
const limit = 100

interface Marked {
  readonly externalId: string | null
}

const hasPrefix =
  (prefix: string) =>
  ({ externalId }: Marked): boolean =>
    externalId?.startsWith(prefix) === true

export const readSamples = async (options?: { readonly signal: AbortSignal }): Promise<Samples> => {
  const [sites, portfolios] = await Promise.all([
    client.sites.list({ q: sitePrefix, tag: [sampleTag], limit }, options),
    client.portfolios.list({ q: portfolioPrefix, limit }, options)
  ])
  return {
    sites: sites.data.filter(hasPrefix(sitePrefix)),
    portfolios: portfolios.data.filter(hasPrefix(portfolioPrefix))
  }
}

export const samplesQuery = queryOptions({
  queryKey: ["samples"],
  queryFn: ({ signal }) => readSamples({ signal }),
  staleTime: 60_000
})
