/** The sessions of the own account, and those that a manager ends. */
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { asUser } from "../../console/AsUser.ts"
import { roleInsufficient, userNotFound } from "../../console/ConsoleProblems.ts"
import { sessionNotFound } from "../login/LinkProblems.ts"
import { mayManage } from "../people/Role.ts"
import { parseAccountId } from "../people/User.ts"
import type { Session } from "./Sessions.ts"
import type { ListedSession, OwnSession } from "./UserSessionRules.ts"
import { UserSessions } from "./UserSessions.ts"

const path = "/console/sessions"
const longestUserAgent = 200

const instant = (milliseconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(milliseconds))

const documentFor =
  (current: string) =>
  ({ createdAt, expiresAt, id, lastUsedAt, method, userAgent }: ListedSession) => ({
    id,
    createdAt: instant(createdAt),
    lastUsedAt: instant(lastUsedAt),
    expiresAt: instant(expiresAt),
    method,
    userAgent: userAgent === null ? null : userAgent.slice(0, longestUserAgent),
    current: id === current
  })

/** The session as one of its user. */
export const ownSession = ({ id, organisation, user }: Session): OwnSession => ({
  organisationId: organisation.id,
  userId: user.id,
  sessionId: id
})

const done = HttpServerResponse.empty({ status: 204 })

export const userSessionEndpoints = (access: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, UserSessions> =>
  Effect.map(UserSessions, (sessions) => {
    const forUser = asUser(access)

    const list = (_: HostEndpointRequest, session: Session) =>
      Effect.map(sessions.list(ownSession(session)), (found) =>
        HttpServerResponse.jsonUnsafe({ data: found.map(documentFor(session.id)) })
      )

    const end = Effect.fnUntraced(function* ({ params }: HostEndpointRequest, session: Session) {
      const id = params["id"] ?? ""
      if (!(yield* sessions.end(ownSession(session), id))) return yield* sessionNotFound
      return id.toLowerCase() === session.id ? HttpServerResponse.setHeaders(done, access.cookie.clear) : done
    })

    const endOthers = (_: HostEndpointRequest, session: Session) =>
      Effect.as(sessions.endOthers(ownSession(session)), done)

    const endManaged = Effect.fnUntraced(function* ({ params }: HostEndpointRequest, { organisation, user }: Session) {
      if (!mayManage(user.role, "viewer")) return yield* roleInsufficient("admin")
      const id = parseAccountId(params["id"])
      if (Option.isNone(id)) return yield* userNotFound
      yield* Effect.catchTags(sessions.endManaged(organisation.id, id.value, user.role), {
        UserNotFound: () => Effect.fail(userNotFound),
        RoleInsufficient: ({ needed }) => Effect.fail(roleInsufficient(needed))
      })
      return done
    })

    return [
      { method: "GET", path, serve: forUser(list) },
      { method: "DELETE", path, serve: forUser(endOthers) },
      { method: "DELETE", path: `${path}/:id`, serve: forUser(end) },
      { method: "DELETE", path: "/console/users/:id/sessions", serve: forUser(endManaged) }
    ]
  })
