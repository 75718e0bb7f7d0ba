/**
 * The own sessions and the state of the second factor.
 */
import { queryOptions } from "@tanstack/react-query"
import { getSecondFactor, listSessions } from "../api/account.ts"
import { queryClient } from "../api/queries.ts"

export const ownSessionsQuery = queryOptions({
  queryKey: ["own-sessions"],
  queryFn: async () => (await listSessions()).data
})

export const secondFactorQuery = queryOptions({ queryKey: ["second-factor"], queryFn: getSecondFactor })

/** Both, because changes of password and factor end other sessions. */
export const refreshAccount = async (): Promise<void> => {
  await Promise.all(
    [ownSessionsQuery, secondFactorQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey }))
  )
}
