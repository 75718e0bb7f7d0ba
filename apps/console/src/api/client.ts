/**
 * The endpoints as functions: `client` for sites, portfolios and documents, the
 * others for endpoints of the console. Each request carries the session cookie.
 */
import { makeClient } from "@solar-sites/http-node/client"
import type { Credentials, Session, SessionEnd } from "./Console.ts"
import { exchange } from "./exchange.ts"

export const client = makeClient({ baseUrl: `${location.origin}/console` })

/** For requests that go on when the page is left. */
export const leavingClient = makeClient({
  baseUrl: `${location.origin}/console`,
  fetch: (request) => fetch(request, { keepalive: true }),
  retry: false
})

const session = "/console/session"

export const logIn = (body: Credentials) => exchange<Session>({ method: "POST", path: session, body })
export const getSession = () => exchange<Session>({ method: "GET", path: session })
/** Why the session of the cookie ended; null when none has ended. */
export const getSessionEnd = () => exchange<SessionEnd>({ method: "GET", path: `${session}/end` })
export const logOut = () => exchange<void>({ method: "DELETE", path: session })
