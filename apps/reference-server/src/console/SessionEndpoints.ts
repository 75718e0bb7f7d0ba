/** Endpoints of the session: log in, show, log out. */
import { apiScopes } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest, Refusal } from "@solar-sites/http-node"
import { DateTime, Duration, Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Session, Sessions } from "../accounts/Sessions.ts"
import type { SessionToken } from "../accounts/SessionToken.ts"
import type { Access } from "./Access.ts"
import { body } from "./Body.ts"
import { loginFailed, rateLimited, sessionMissing } from "./ConsoleProblems.ts"

const path = "/console/session"

const readCredentials = body(Schema.Struct({ email: Schema.String, password: Schema.String }))

const document = ({ caller, expiresAt, organisation, user }: Session) => ({
  user,
  organisation,
  expiresAt: DateTime.formatIso(expiresAt),
  scopes: caller.scopes ?? apiScopes
})

export const sessionEndpoints = ({
  admit,
  cookie,
  requireOrigin
}: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Sessions> =>
  Effect.map(Sessions, (sessions) => {
    const logIn = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const { clientAddress, identify, request } = incoming
      yield* requireOrigin(request)
      const { email, password } = yield* readCredentials(incoming)
      const replaces = cookie.read(request.headers)
      const userAgent = request.headers["user-agent"]
      const { session, token } = yield* sessions.logIn({ email, password, clientAddress, replaces, userAgent }).pipe(
        Effect.catchTags({
          LoginFailed: (): Effect.Effect<never, Refusal> => Effect.fail(loginFailed),
          LoginLimited: ({ retryAfter }) =>
            Effect.fail(rateLimited("Too many logins have failed; see Retry-After.", retryAfter)),
          HasherOverloaded: () =>
            Effect.fail(rateLimited("Too many log in at this moment; see Retry-After.", Duration.seconds(1)))
        })
      )
      identify(session.caller)
      return HttpServerResponse.jsonUnsafe(document(session), { headers: cookie.set(token) })
    })

    const show = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      const session = yield* admit(incoming)
      incoming.identify(session.caller)
      return HttpServerResponse.jsonUnsafe(document(session))
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
      { method: "DELETE", path, serve: logOut }
    ]
  })
