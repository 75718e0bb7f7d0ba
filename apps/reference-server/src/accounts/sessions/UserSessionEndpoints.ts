/** Serves the sessions of the own account. */
import { instantText } from "@solar-sites/core"
import { hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { SessionsApi } from "../../console/contract/SessionsApi.ts"
import { CurrentSession, withSession } from "../../console/WithSession.ts"
import { makeCommands } from "../Commands.ts"
import type { SessionRecord } from "./SessionKind.ts"
import { endSessions, findsOfPassword, liveSessions } from "./SessionRules.ts"

const longestUserAgent = 200

/** The last use is exact to a minute. No use extends `expiresAt`. */
const shownTo =
  (current: string) =>
  ({ createdAt, expiresAt, id, method, usedAt, userAgent }: SessionRecord) => ({
    id,
    createdAt: instantText(createdAt.epochMilliseconds),
    lastUsedAt: instantText((usedAt ?? createdAt).epochMilliseconds),
    expiresAt: instantText(expiresAt.epochMilliseconds),
    method,
    userAgent: userAgent === null ? null : userAgent.slice(0, longestUserAgent),
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
