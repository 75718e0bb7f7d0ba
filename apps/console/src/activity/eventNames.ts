/**
 * Names of actors and portfolios in events.
 */
import type { Event } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { isManager } from "../api/people.ts"
import { apiKeysQuery } from "../api-keys/apiKeyQueries.ts"
import { peopleQuery } from "../people/peopleQueries.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { useSession } from "../shell/session.ts"
import { activityTexts as texts } from "../texts/activity.ts"

export interface EventNames {
  readonly actorOf: (event: Event) => string
  readonly portfolioOf: (id: unknown) => string
}

/** Names that are not known, or not loaded yet, have a general name. Only managers know names of keys. */
export const useEventNames = (): EventNames => {
  const { user } = useSession()
  const { data: people = [] } = useQuery(peopleQuery)
  const { data: apiKeys = [] } = useQuery({ ...apiKeysQuery, enabled: isManager(user.role) })
  const { nameOf } = usePortfolioNames()
  return {
    actorOf: ({ actor: { apiKeyId, keyPrefix, userId } }) => {
      if (apiKeyId !== null) {
        const name = apiKeys.find(({ id }) => id === apiKeyId)?.name
        return texts.apiKey(name === undefined ? `${keyPrefix ?? ""}…` : `“${name}”`)
      }
      if (userId !== null) return people.find(({ id }) => id === userId)?.name ?? texts.formerUser
      return texts.service
    },
    portfolioOf: (id) => (typeof id === "string" && nameOf(id)) || texts.formerPortfolio
  }
}
