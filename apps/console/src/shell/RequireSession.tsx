/**
 * Lets only those in who are logged in; the others are brought back to where
 * they wanted to be once they are.
 */
import { Container } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { createContext, use } from "react"
import { Navigate, useLocation } from "react-router"
import type { Session } from "../api/Console.ts"
import { sessionQuery } from "../api/queries.ts"
import { Failure } from "./Failure.tsx"
import { Shell } from "./Shell.tsx"
import { Waiting } from "./Waiting.tsx"

const SessionContext = createContext<Session | null>(null)

/** Who is logged in, for whatever is inside of the shell. */
export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === null) throw new Error("There is a session only inside of RequireSession.")
  return session
}

/** What the page for logging in is told in the state of its address. */
interface Arrival {
  readonly from: string
}

export const RequireSession = () => {
  const { hash, pathname, search } = useLocation()
  const { data: session, error, refetch } = useQuery(sessionQuery)
  if (session === null) {
    return <Navigate to="/login" replace state={{ from: `${pathname}${search}${hash}` } satisfies Arrival} />
  }
  if (session !== undefined) {
    return (
      <SessionContext value={session}>
        <Shell />
      </SessionContext>
    )
  }
  return error === null ? (
    <Waiting />
  ) : (
    <Container size="sm" py="xl">
      <Failure error={error} onRetry={refetch} />
    </Container>
  )
}
