/**
 * Names of users by id.
 */
import { useQuery } from "@tanstack/react-query"
import { useSession } from "../shell/session.ts"
import { peopleQuery } from "./peopleQueries.ts"
import { personName } from "./personName.ts"

/** Undefined while the people are read. The own name is known at once. */
export const usePersonNames = (): ((userId: string) => string | undefined) => {
  const { user } = useSession()
  const { data = [], isFetching } = useQuery(peopleQuery)
  return (userId) => personName(userId, [user, ...data], isFetching)
}
