/**
 * Shows the pages with a session, and the login page without one. When the
 * session ends while a page is shown, the page is hidden until the same user
 * logs in again, so that nothing typed is lost. The same holds while the
 * organisation demands a second factor that the user has not set up.
 */
import { Container } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Activity, useDeferredValue, useEffect, useState } from "react"
import { Navigate, useLocation } from "react-router"
import type { Session } from "../api/Console.ts"
import { reasonOfEnd, refreshSession, sessionQuery } from "../api/queries.ts"
import { Failure } from "./Failure.tsx"
import { loadMenu } from "./LazyMenu.tsx"
import { loadToasts } from "./LazyToasts.tsx"
import { lazily } from "./lazily.tsx"
import { Shell } from "./Shell.tsx"
import { Starting } from "./Starting.tsx"
import { SessionContext } from "./session.ts"

const loadSetUp = () => import("../account/SetUpScreen.tsx")
const loadLogin = () => import("../login/LoginScreen.tsx")
const SetUpScreen = lazily(async () => (await loadSetUp()).SetUpScreen)
const LoginScreen = lazily(async () => (await loadLogin()).LoginScreen)

const preloadDelay = 3_000

/** Loads the screens that may cover a page, and menus, so that they need no further request by then. */
const usePreload = () =>
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.allSettled([loadSetUp(), loadLogin(), loadMenu(), loadToasts()]),
      preloadDelay
    )
    return () => clearTimeout(timer)
  }, [])

/** State of the login page's address: the page to go to after the login. */
interface Arrival {
  readonly from: string
}

interface EndedScreenProps {
  readonly session: Session
  readonly returnTo: string
}

const EndedScreen = ({ returnTo, session }: EndedScreenProps) => {
  // The reason at the moment at which the end was noticed.
  const [reason] = useState(() => reasonOfEnd(session))
  return <LoginScreen ended={{ email: session.user.email, reason }} returnTo={returnTo} />
}

export const RequireSession = () => {
  const { hash, pathname, search } = useLocation()
  const { data, error, refetch } = useQuery(sessionQuery)
  // The first page is rendered in pieces: as one task it takes a phone a third of a second.
  const session = useDeferredValue(data)
  usePreload()
  const [last, setLast] = useState<Session | null>(null)
  if (session && session !== last) setLast(session)
  // Stays after the set-up until the recovery codes are stored.
  const [settingUp, setSettingUp] = useState(false)
  if (session?.mustSetUpSecondFactor && !settingUp) setSettingUp(true)
  const finishSetUp = async () => {
    await refreshSession()
    setSettingUp(false)
  }

  const shown = session ?? last
  const returnTo = `${pathname}${search}${hash}`
  if (shown !== null) {
    return (
      <SessionContext value={shown}>
        {/* Hidden, the page keeps its state, asks for nothing and listens to no key. */}
        <Activity mode={session === null || settingUp ? "hidden" : "visible"}>
          <Shell />
        </Activity>
        {settingUp && (
          <Activity mode={session === null ? "hidden" : "visible"}>
            <SetUpScreen onDone={finishSetUp} />
          </Activity>
        )}
        {session === null && <EndedScreen session={shown} returnTo={returnTo} />}
      </SessionContext>
    )
  }
  if (session === null) {
    return <Navigate to="/login" replace state={{ from: returnTo } satisfies Arrival} />
  }
  return error === null ? (
    <Starting />
  ) : (
    <Container size="sm" py="xl">
      <Failure error={error} onRetry={refetch} />
    </Container>
  )
}
