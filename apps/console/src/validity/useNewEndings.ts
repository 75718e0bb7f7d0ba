/**
 * The news of both states, for the bell and for the first page alike.
 */
import { useQueries, useQueryClient } from "@tanstack/react-query"
import { useCan, useSession } from "../shell/session.ts"
import { type EndingState, endingStates, keepPlace } from "./newEndings.ts"
import { newEndingsQuery } from "./newEndingsQuery.ts"

export const useNewEndings = () => {
  const { organisation, user } = useSession()
  const owner = `${organisation.id} ${user.id}`
  const canRead = useCan("events:read")
  const queries = useQueryClient()
  const results = useQueries({
    queries: endingStates.map((state) => ({ ...newEndingsQuery(owner, state), enabled: canRead }))
  })
  const news = endingStates.flatMap((state, index) => {
    const found = results[index]?.data
    return found === undefined || found.count === 0 ? [] : [{ state, ...found }]
  })
  /** Ends the visit of a state: its news are seen. */
  const see = (state: EndingState, place: string | null) => {
    if (place !== null) keepPlace(owner, state, place)
    queries.setQueryData(newEndingsQuery(owner, state).queryKey, { count: 0, isMore: false, place })
  }
  return { canRead, news, see }
}
