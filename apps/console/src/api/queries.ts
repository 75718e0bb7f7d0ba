/**
 * The cache of what was read. A session that has ended empties it, so that
 * whoever logs in next sees nothing of it.
 */
import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query"
import type { Session } from "./Console.ts"
import { getConfiguration, getSession } from "./client.ts"
import { isConnectionLost, isSessionMissing } from "./failures.ts"

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: (): Promise<Session | null> =>
    getSession().catch((error: unknown) => {
      if (isSessionMissing(error)) return null
      throw error
    }),
  staleTime: 60_000,
  // A session that has ended elsewhere is noticed when one comes back to the page.
  refetchOnWindowFocus: "always"
})

export const configurationQuery = queryOptions({
  queryKey: ["configuration"],
  queryFn: getConfiguration,
  staleTime: Number.POSITIVE_INFINITY
})

/** Remembers who is logged in, and forgets all that was read before. */
export const changeSession = (session: Session | null): void => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" })
  queryClient.getMutationCache().clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
}

/** To be told of every error: the page for logging in comes when there is no session any more. */
export const noticeSessionLoss = (error: unknown): void => {
  if (isSessionMissing(error)) changeSession(null)
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionLoss }),
  mutationCache: new MutationCache({ onError: noticeSessionLoss }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Whatever else could be repeated the client has repeated already.
      retry: (_count, error) => isConnectionLost(error),
      retryDelay: (count) => Math.min(1_000 * 2 ** count, 10_000)
    },
    mutations: { retry: false, networkMode: "always" }
  }
})
