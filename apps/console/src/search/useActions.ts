/**
 * What the search offers the user to do.
 */
import { useQuery } from "@tanstack/react-query"
import { isManager } from "../api/people.ts"
import { configurationQuery } from "../api/queries.ts"
import { useSession } from "../shell/session.ts"
import { searchActions } from "./searchActions.ts"
import type { Result } from "./useSearch.ts"

export const useActions = (): ReadonlyArray<Result> => {
  const session = useSession()
  const { data: configuration } = useQuery(configurationQuery)
  const canInvite = isManager(session.user.role) && configuration?.login.password !== false
  return searchActions(session, canInvite).map((action) => ({ kind: "action", hint: "", ...action }))
}
