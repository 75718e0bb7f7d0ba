/**
 * Logs a user in and goes on to the page that was asked for.
 */
import { useQuery } from "@tanstack/react-query"
import { Navigate, useLocation } from "react-router"
import { sessionQuery } from "../api/queries.ts"
import { LoginScreen } from "./LoginScreen.tsx"

/** A path of the console, never another origin. */
const placeIn = (state: unknown): string => {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : undefined
  return typeof from === "string" && /^\/(?![/\\])/.test(from) ? from : "/sites"
}

export const LoginPage = () => {
  const { state } = useLocation()
  const { data: session } = useQuery(sessionQuery)
  // Also after a login in another tab.
  return session ? <Navigate to={placeIn(state)} replace /> : <LoginScreen />
}
