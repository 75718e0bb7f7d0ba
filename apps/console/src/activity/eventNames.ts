/**
 * Names of actors and portfolios in events.
 */
import type { Event } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { isManager } from "../api/people.ts"
import { apiKeysQuery } from "../api-keys/apiKeyQueries.ts"
import { useCoverageOf } from "../health/healthQueries.ts"
import { usePersonNames } from "../people/usePersonNames.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { useSession } from "../shell/session.ts"
import { activityTexts as texts } from "../texts/en/activity.ts"

export interface EventNames {
  readonly actorOf: (event: Event) => string
  readonly portfolioOf: (id: unknown) => string
  /** Undefined where sites are not to be named, while they are read, and of deleted ones. */
  readonly siteOf: (siteId: string) => string | undefined
}

/** Only managers know names of keys. */
export const useEventNames = (siteIds: ReadonlyArray<string>): EventNames => {
  const sites = useCoverageOf(siteIds)
  const { user } = useSession()
  const personName = usePersonNames()
  const { data: apiKeys = [] } = useQuery({ ...apiKeysQuery, enabled: isManager(user.role) })
  const { isReading, nameOf } = usePortfolioNames()
  return {
    actorOf: ({ actor: { apiKeyId, keyPrefix, userId } }) => {
      if (apiKeyId !== null) {
        const name = apiKeys.find(({ id }) => id === apiKeyId)?.name
        return texts.apiKey(name === undefined ? `${keyPrefix ?? ""}…` : `“${name}”`)
      }
      if (userId !== null) return personName(userId) ?? texts.reading
      return texts.service
    },
    siteOf: (siteId) => sites.get(siteId)?.siteName,
    portfolioOf: (id) => (typeof id === "string" && nameOf(id)) || (isReading ? texts.reading : texts.formerPortfolio)
  }
}
