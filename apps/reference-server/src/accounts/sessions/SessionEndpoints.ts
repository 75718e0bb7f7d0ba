/** Serves the session of the browser (log in, show, log out), and the sessions of the own account. */
import { apiScopes, instantText, type RepositoryError } from "@solar-sites/core"
import { type HostEndpointRequest, type HostMiddleware, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { DateTime, Effect, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { LoginApi, SessionApi } from "../../console/contract/SessionApi.ts"
import { SessionsApi } from "../../console/contract/SessionsApi.ts"
import { CurrentSession, withoutSession, withSession } from "../../console/WithSession.ts"
import type { AccountRefusal } from "../AccountProblems.ts"
import { makeCommands } from "../Commands.ts"
import { LoginLimits } from "../login/LoginLimits.ts"
import type { SessionRecord } from "./SessionKind.ts"
import { endSessions, findsOfPassword, liveSessions } from "./SessionRules.ts"
import { counted, type LoginBrowser, type Session } from "./Sessions.ts"
import * as SessionToken from "./SessionToken.ts"

const longestUserAgent = 200

/** The last use is exact to a minute. No use extends `expiresAt`. */
const shownTo =
  (current: string) =>
  ({ createdAt, expiresAt, id, method, usedAt, userAgent }: SessionRecord) => ({
    ...{ id, createdAt, expiresAt, method },
    lastUsedAt: usedAt ?? createdAt,
    userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
    current: id === current
  })

export const userSessionEndpoints = (access: Access) =>
  Effect.map(makeCommands, ({ decide, load }) =>
    hostGroup(SessionsApi, withSession(access), {
      list: Effect.fnUntraced(function* () {
        const { id, user } = yield* CurrentSession
        const found = yield* load("UserSessions.list", user.organisationId, findsOfPassword(user.id))
        return reply({ data: liveSessions(found, user.id, yield* DateTime.now).map(shownTo(id)) })
      }),
      endOthers: Effect.fnUntraced(function* () {
        const { id: own, user } = yield* CurrentSession
        yield* decide(endSessions(user, ({ id }) => id !== own))
        return replyNothing
      }),
      end: Effect.fnUntraced(function* ({ params }) {
        const { id: own, user } = yield* CurrentSession
        // The id in the path is any text.
        const ended = params.id.toLowerCase()
        if (!(yield* decide(endSessions(user, ({ id }) => id === ended)))) return yield* problems.session_not_found
        return ended === own ? HttpServerResponse.setHeaders(replyNothing, access.cookie.clear) : replyNothing
      })
    })
  )

/** The session as its endpoints answer it. */
export const sessionDocument = ({ caller, expiresAt, mustSetUpSecondFactor, organisation, user }: Session) => ({
  user: Struct.omit(user, ["organisationId"]),
  organisation,
  expiresAt: DateTime.makeUnsafe(expiresAt),
  scopes: caller.scopes ?? apiScopes,
  mustSetUpSecondFactor
})

/** The browser of a request that opens a session. */
export const browserOf = ({ cookie }: Access, { headers }: HostEndpointRequest["request"]): LoginBrowser => ({
  replaces: cookie.read(headers),
  userAgent: headers["user-agent"]
})

/** Counts a session that is not found as a failed authentication, without a refusal. */
const counting = <A>({ limitFailures }: HostEndpointRequest, finding: Effect.Effect<A | null, RepositoryError>) =>
  Effect.flatMap(finding, (found) => (found === null ? problems.session_missing : Effect.succeed(found))).pipe(
    limitFailures,
    Effect.catchIf(
      (refusal) => refusal === problems.session_missing,
      () => Effect.succeed(null)
    )
  )

export const sessionEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const limits = yield* LoginLimits
    const { admitToSetUp, cookie, sessions } = access
    const open = withoutSession(access)

    const checkAddress = (clientAddress: string | undefined) =>
      Effect.tapError(limits.checkAddress(clientAddress), () => counted("limited"))

    /** Refuses an address with too many failed logins before the body is read. */
    const beforeLogin: HostMiddleware<never, AccountRefusal> = (incoming, endpoint, serve) =>
      open(incoming, endpoint, Effect.andThen(checkAddress(incoming.clientAddress), serve))

    const login = hostGroup(LoginApi, beforeLogin, {
      logIn: Effect.fnUntraced(function* ({ incoming, payload: { code, email, password } }) {
        const { clientAddress, identify, request } = incoming
        const login = { email, password, code: code ?? undefined, clientAddress, ...browserOf(access, request) }
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
      showEnd: Effect.fnUntraced(function* ({ incoming }) {
        const token = cookie.read(incoming.request.headers)
        const end = token === undefined ? null : yield* counting(incoming, sessions.findEnd(SessionToken.digest(token)))
        return reply(
          end === null ? { reason: null, endedAt: null } : { reason: end.reason, endedAt: instantText(end.at) }
        )
      }),
      // It succeeds without a session, too.
      logOut: Effect.fnUntraced(function* ({ incoming }) {
        const token = cookie.read(incoming.request.headers)
        if (token !== undefined) yield* counting(incoming, sessions.end(SessionToken.digest(token)))
        return HttpServerResponse.setHeaders(replyNothing, cookie.clear)
      })
    })

    return [...login, ...session]
  })
