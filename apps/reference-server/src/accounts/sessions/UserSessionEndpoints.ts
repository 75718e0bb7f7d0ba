/** Serves the sessions of the own account. */
import { instantText } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { SessionsApi } from "../../console/contract/SessionsApi.ts"
import { CurrentSession, withSession } from "../../console/WithSession.ts"
import { sessionNotFound } from "../AccountProblems.ts"
import type { Session } from "./Sessions.ts"
import type { ListedSession, OwnSession } from "./UserSessionRules.ts"
import { UserSessions } from "./UserSessions.ts"

const longestUserAgent = 200

const shownTo =
  (current: string) =>
  ({ createdAt, expiresAt, id, lastUsedAt, method, userAgent }: ListedSession) => ({
    id,
    createdAt: instantText(createdAt),
    lastUsedAt: instantText(lastUsedAt),
    expiresAt: instantText(expiresAt),
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

export const userSessionEndpoints = (access: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, UserSessions> =>
  Effect.map(UserSessions, (sessions) =>
    hostGroup(SessionsApi, withSession(access), {
      list: Effect.fnUntraced(function* () {
        const session = yield* CurrentSession
        return reply({ data: (yield* sessions.list(ownSession(session))).map(shownTo(session.id)) })
      }),
      endOthers: () =>
        Effect.flatMap(CurrentSession, (session) => Effect.as(sessions.endOthers(ownSession(session)), replyNothing)),
      end: Effect.fnUntraced(function* ({ params: { id } }) {
        const session = yield* CurrentSession
        if (!(yield* sessions.end(ownSession(session), id))) return yield* sessionNotFound
        const isCurrent = id.toLowerCase() === session.id
        return isCurrent ? HttpServerResponse.setHeaders(replyNothing, access.cookie.clear) : replyNothing
      })
    })
  )
