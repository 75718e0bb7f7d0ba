/** Endpoints of the session: log in, show, log out. */
import { apiScopes } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { LoginSettings } from "../../configuration/LoginSettings.ts"
import type { Access } from "../../console/Access.ts"
import { openBody } from "../../console/Body.ts"
import { passwordLoginOff, sessionMissing } from "../../console/ConsoleProblems.ts"
import type { SessionEnd } from "../sessions/SessionStatements.ts"
import { type Session, Sessions } from "../sessions/Sessions.ts"
import type { SessionToken } from "../sessions/SessionToken.ts"
import { loginRefusals } from "./LoginProblems.ts"

const path = "/console/session"

const readCredentials = openBody(
  Schema.Struct({
    email: Schema.String,
    password: Schema.String,
    code: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

const nothing = { reason: null, endedAt: null }

const instantOf = (milliseconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(milliseconds))

/** The session as its endpoints answer it. */
export const sessionDocument = ({ caller, expiresAt, mustSetUpSecondFactor, organisation, user }: Session) => ({
  user,
  organisation,
  expiresAt,
  scopes: caller.scopes ?? apiScopes,
  mustSetUpSecondFactor
})

export const sessionEndpoints = (
  { admitToSetUp, cookie, requireOrigin }: Access,
  { passwords }: LoginSettings
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Sessions> =>
  Effect.map(Sessions, (sessions) => {
    const logIn = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const { clientAddress, identify, request } = incoming
      yield* requireOrigin(request)
      if (!passwords) return yield* passwordLoginOff
      yield* Effect.catchTag(sessions.checkAddress(clientAddress), "LoginLimited", loginRefusals.LoginLimited)
      const { code, email, password } = yield* readCredentials(incoming)
      const replaces = cookie.read(request.headers)
      const userAgent = request.headers["user-agent"]
      const login = { email, password, code: code ?? undefined, clientAddress, replaces, userAgent }
      const { session, token } = yield* Effect.catchTags(sessions.logIn(login), loginRefusals)
      identify(session.caller)
      return HttpServerResponse.jsonUnsafe(sessionDocument(session), { headers: cookie.set(token) })
    })

    const show = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const session = yield* admitToSetUp(incoming)
      incoming.identify(session.caller)
      return HttpServerResponse.jsonUnsafe(sessionDocument(session))
    })

    const findEnd = Effect.fnUntraced(function* (token: SessionToken) {
      const found = yield* sessions.findEnd(token)
      return Option.isNone(found) ? yield* sessionMissing : found.value
    })

    /** Unknown cookies, live sessions and no cookie have the same answer. */
    const showEnd = Effect.fnUntraced(function* ({ limitFailures, request }: HostEndpointRequest) {
      const token = cookie.read(request.headers)
      const unknown: SessionEnd | null = null
      const end =
        token === undefined
          ? unknown
          : yield* Effect.catchIf(
              limitFailures(findEnd(token)),
              (refusal) => refusal === sessionMissing,
              () => Effect.succeed(unknown)
            )
      const document = end === null ? nothing : { reason: end.reason, endedAt: instantOf(end.at) }
      return HttpServerResponse.jsonUnsafe(document)
    })

    const end = Effect.fnUntraced(function* (token: SessionToken) {
      if (!(yield* sessions.end(token))) return yield* sessionMissing
    })

    const logOut = Effect.fnUntraced(function* ({ limitFailures, request }: HostEndpointRequest) {
      yield* requireOrigin(request)
      const token = cookie.read(request.headers)
      if (token !== undefined) {
        // Without a session it succeeds too, but counts as a failed authentication.
        yield* Effect.catchIf(
          limitFailures(end(token)),
          (refusal) => refusal === sessionMissing,
          () => Effect.void
        )
      }
      return HttpServerResponse.empty({ status: 204, headers: cookie.clear })
    })

    return [
      { method: "POST", path, serve: logIn },
      { method: "GET", path, serve: show },
      { method: "GET", path: `${path}/end`, serve: showEnd },
      { method: "DELETE", path, serve: logOut }
    ]
  })
