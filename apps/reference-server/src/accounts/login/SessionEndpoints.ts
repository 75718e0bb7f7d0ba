/** Serves the session of the browser: log in, show, log out. */
import { apiScopes, instantText } from "@solar-sites/core"
import {
  type HostEndpoint,
  type HostMiddleware,
  hostGroup,
  type Refusal,
  reply,
  replyNothing
} from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { sessionMissing } from "../../console/ConsoleProblems.ts"
import { LoginApi, SessionApi } from "../../console/contract/SessionApi.ts"
import { withoutSession } from "../../console/WithSession.ts"
import type { AccountRefusal } from "../AccountProblems.ts"
import { counted, type Session, Sessions } from "../sessions/Sessions.ts"
import type { SessionToken } from "../sessions/SessionToken.ts"
import { LoginLimits } from "./LoginLimits.ts"

/** The session as its endpoints answer it. */
export const sessionDocument = ({ caller, expiresAt, mustSetUpSecondFactor, organisation, user }: Session) => ({
  user,
  organisation,
  expiresAt,
  scopes: caller.scopes ?? apiScopes,
  mustSetUpSecondFactor
})

/** Null without a session, which `limitFailures` has counted as a failed authentication. */
const orNull = <A>(authentication: Effect.Effect<A, Refusal>) =>
  Effect.catchIf(
    authentication,
    (refusal) => refusal === sessionMissing,
    () => Effect.succeed(null)
  )

export const sessionEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, LoginLimits | Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const limits = yield* LoginLimits
    const { admitToSetUp, cookie } = access
    const open = withoutSession(access)

    const checkAddress = (clientAddress: string | undefined) =>
      Effect.tapError(limits.checkAddress(clientAddress), () => counted("limited"))

    /** Refuses an address with too many failed logins before the body is read. */
    const beforeLogin: HostMiddleware<never, AccountRefusal> = (incoming, endpoint, serve) =>
      open(incoming, endpoint, Effect.andThen(checkAddress(incoming.clientAddress), serve))

    const findEnd = Effect.fnUntraced(function* (token: SessionToken) {
      const found = yield* sessions.findEnd(token)
      return Option.isNone(found) ? yield* sessionMissing : found.value
    })

    const end = Effect.fnUntraced(function* (token: SessionToken) {
      if (!(yield* sessions.end(token))) return yield* sessionMissing
    })

    const login = hostGroup(LoginApi, beforeLogin, {
      logIn: Effect.fnUntraced(function* ({ incoming, payload: { code, email, password } }) {
        const { clientAddress, identify, request } = incoming
        const browser = { replaces: cookie.read(request.headers), userAgent: request.headers["user-agent"] }
        const login = { email, password, code: code ?? undefined, clientAddress, ...browser }
        const { session, token } = yield* sessions.logIn(login)
        identify(session.caller)
        return reply(sessionDocument(session), { headers: cookie.set(token) })
      })
    })

    const session = hostGroup(SessionApi, open, {
      show: Effect.fnUntraced(function* ({ incoming }) {
        const session = yield* admitToSetUp(incoming)
        incoming.identify(session.caller)
        return reply(sessionDocument(session))
      }),
      showEnd: Effect.fnUntraced(function* ({ incoming: { limitFailures, request } }) {
        const token = cookie.read(request.headers)
        const end = token === undefined ? null : yield* orNull(limitFailures(findEnd(token)))
        return reply(
          end === null ? { reason: null, endedAt: null } : { reason: end.reason, endedAt: instantText(end.at) }
        )
      }),
      logOut: Effect.fnUntraced(function* ({ incoming: { limitFailures, request } }) {
        const token = cookie.read(request.headers)
        // Without a session it succeeds too, but counts as a failed authentication.
        if (token !== undefined) yield* orNull(limitFailures(end(token)))
        return HttpServerResponse.setHeaders(replyNothing, cookie.clear)
      })
    })

    return [...login, ...session]
  })
