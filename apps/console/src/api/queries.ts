/**
 * The cache of what was read, and the session that it belongs to. All tabs of a
 * browser share one session cookie, so each tab tells the others of a login and
 * a logout. A page never shows data of two users: it reloads for another one.
 */
import { MutationCache, QueryCache, QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query"
import { ask } from "./ask.ts"
import type { Session } from "./Console.ts"
import { isConnectionLost, isSessionMissing, isSessionOutdated } from "./failures.ts"

const tabs = new BroadcastChannel("solar-sites-session")
const loggedIn = "logged in"
const loggedOut = "logged out"

const leaveListeners = new Set<() => void>()

/** Calls the listener before the page is left for another user, or for none. */
export const onLeave = (listener: () => void): void => {
  leaveListeners.add(listener)
}

const logoutListeners = new Set<() => Promise<void>>()

/** A logout waits for the listener, which can send requests that still wait. */
export const onLogout = (listener: () => Promise<void>): void => {
  logoutListeners.add(listener)
}

export const prepareLogout = async (): Promise<void> => {
  await Promise.all([...logoutListeners].map((listener) => listener()))
}

const leave = (load: () => void): void => {
  for (const listener of leaveListeners) listener()
  load()
}

const userOf = ({ organisation, user }: Session): string => `${organisation.id} ${user.id}`

/** Key of the user that the data of the cache belongs to. */
const ownerKey = ["owner"]

/** Reloads the page for another user than its owner; the promise stays pending then. */
const admit = (session: Session): Promise<Session> => {
  const owner = queryClient.getQueryData<string>(ownerKey)
  if (owner === undefined) queryClient.setQueryData(ownerKey, userOf(session))
  if (owner === undefined || owner === userOf(session)) return Promise.resolve(session)
  leave(() => location.reload())
  return new Promise(() => {})
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: (): Promise<Session | null> =>
    ask("GET /console/session").then(admit, (error: unknown) => {
      if (isSessionMissing(error)) return null
      throw error
    }),
  staleTime: 60_000,
  // Notices a session that was ended by the server while the page was in the background.
  refetchOnWindowFocus: "always"
})

/** Read anew by each login page. */
export const sessionEndQuery = queryOptions({
  queryKey: ["session-end"],
  queryFn: () => ask("GET /console/session/end"),
  gcTime: 0,
  staleTime: 0,
  retry: false
})

export const configurationQuery = queryOptions({
  queryKey: ["configuration"],
  queryFn: () => ask("GET /console/configuration"),
  staleTime: Number.POSITIVE_INFINITY
})

/** Goes on with the session of a login in this tab, in the other tabs too. */
export const enterSession = async (session: Session): Promise<void> => {
  tabs.postMessage(loggedIn)
  const admitted = await admit(session)
  // Answers to requests from before the login would end this session.
  await queryClient.cancelQueries()
  queryClient.setQueryData(sessionQuery.queryKey, admitted)
}

const leaveForLogin = (): void => leave(() => location.replace("/login"))

/** After a logout: the page and all that it holds goes, in the other tabs too. */
export const leaveSession = (): void => {
  tabs.postMessage(loggedOut)
  leaveForLogin()
}

tabs.addEventListener("message", ({ data }) => {
  if (data === loggedOut) leaveForLogin()
  else void refreshSession()
})

export const refreshSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })

/**
 * To be called with every error. After the end of the session the data stays: the same user can log
 * in again and go on. Other refusals show that the role or the organisation's demands have changed.
 */
export const noticeSessionChange = (error: unknown): void => {
  if (isSessionMissing(error)) queryClient.setQueryData(sessionQuery.queryKey, null)
  else if (isSessionOutdated(error)) void refreshSession()
}

/** Why a session has ended, as far as a page can know by itself. */
export type EndReason = "expired" | "idle" | "ended"

const idleMillis = 2 * 3_600_000

/** Why the session that this page had last has ended. */
export const reasonOfEnd = ({ expiresAt }: Session): EndReason => {
  const now = Date.now()
  if (now >= Date.parse(expiresAt)) return "expired"
  const answered = queryClient.getQueryCache().getAll()
  const lastUse = Math.max(...answered.map(({ state }) => (state.data === null ? 0 : state.dataUpdatedAt)))
  return now - lastUse >= idleMillis ? "idle" : "ended"
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionChange }),
  mutationCache: new MutationCache({ onError: noticeSessionChange }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Pages that wait for a login are not observed, and must find their data afterwards.
      gcTime: Number.POSITIVE_INFINITY,
      // The client has retried every other error that is retryable.
      retry: (_count, error) => isConnectionLost(error),
      retryDelay: (count) => Math.min(1_000 * 2 ** count, 10_000)
    },
    mutations: { retry: false, networkMode: "always" }
  }
})
// The cache must never hold data of a user without the name of this user.
queryClient.setQueryDefaults(ownerKey, { gcTime: Number.POSITIVE_INFINITY })

/**
 * Reads again what was read under these keys, after a change. Invalidation alone keeps a first request
 * that is under way: its answer can be older than the change.
 */
export const readAgain = async (...keys: ReadonlyArray<QueryKey>): Promise<void> => {
  await Promise.all(
    keys.map(async (queryKey) => {
      await queryClient.cancelQueries({ queryKey })
      await queryClient.invalidateQueries({ queryKey })
    })
  )
}
