/**
 * The own account, its sessions and the state of the second factor.
 */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { readAgain } from "../api/queries.ts"

export const accountQuery = queryOptions({ queryKey: ["account"], queryFn: () => ask("GET /console/account") })

export const ownSessionsQuery = queryOptions({
  queryKey: ["own-sessions"],
  queryFn: async () => (await ask("GET /console/sessions")).data
})

export const secondFactorQuery = queryOptions({
  queryKey: ["second-factor"],
  queryFn: () => ask("GET /console/account/second-factor")
})

/** Both, because changes of password and factor end other sessions. */
export const refreshAccount = (): Promise<void> => readAgain(ownSessionsQuery.queryKey, secondFactorQuery.queryKey)
