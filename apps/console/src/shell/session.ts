/**
 * The session for the components inside of `RequireSession`.
 */
import type { ApiScope } from "@solar-sites/core/model"
import { createContext, use } from "react"
import type { Session } from "../api/Console.ts"

export const SessionContext = createContext<Session | null>(null)

export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === null) throw new Error("There is a session only inside of RequireSession.")
  return session
}

/** True if the role of the user has the scope. The server checks it again. */
export const useCan = (scope: ApiScope): boolean => useSession().scopes.includes(scope)
