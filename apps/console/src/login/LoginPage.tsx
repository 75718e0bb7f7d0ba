/**
 * Logs a user in and goes on to the page that was asked for.
 */
import { useQuery } from "@tanstack/react-query"
import { Navigate, useLocation, useSearchParams } from "react-router"
import { sessionQuery } from "../api/queries.ts"
import { LoginScreen } from "./LoginScreen.tsx"

/** A path of the console, never another origin. */
const placeIn = (state: unknown): string => {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : undefined
  return typeof from === "string" && /^\/(?![/\\])/.test(from) ? from : "/"
}

export const LoginPage = () => {
  const { state } = useLocation()
  const [query] = useSearchParams()
  const { data: session } = useQuery(sessionQuery)
  const place = placeIn(state)
  // Also after a login in another tab.
  return session ? <Navigate to={place} replace /> : <LoginScreen returnTo={place} problem={query.get("problem")} />
}
