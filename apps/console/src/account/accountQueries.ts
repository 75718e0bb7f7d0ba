/**
 * The own account, its sessions and the state of the second factor.
 */
import { queryOptions } from "@tanstack/react-query"
import { getAccount, getSecondFactor } from "../api/account.ts"
import { ask } from "../api/ask.ts"
import { readAgain } from "../api/queries.ts"

export const accountQuery = queryOptions({ queryKey: ["account"], queryFn: getAccount })

export const ownSessionsQuery = queryOptions({
  queryKey: ["own-sessions"],
  queryFn: async () => (await ask("GET /console/sessions")).data
})

export const secondFactorQuery = queryOptions({ queryKey: ["second-factor"], queryFn: getSecondFactor })

/** Both, because changes of password and factor end other sessions. */
export const refreshAccount = (): Promise<void> => readAgain(ownSessionsQuery.queryKey, secondFactorQuery.queryKey)
