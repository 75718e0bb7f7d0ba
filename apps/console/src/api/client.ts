/**
 * The API under `/console`. Each request carries the session cookie.
 */
import { makeClient } from "@solar-sites/http-node/client"

export const client = makeClient({ baseUrl: `${location.origin}/console` })

/** For requests that go on when the page is left. */
export const leavingClient = makeClient({
  baseUrl: `${location.origin}/console`,
  fetch: (request) => fetch(request, { keepalive: true }),
  retry: false
})
