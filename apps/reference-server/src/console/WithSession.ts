/** Serves endpoints of the console's contract as the user of the session. */
import { CurrentCaller } from "@solar-sites/core"
import type { HostMiddleware } from "@solar-sites/http-node"
import { Context, Effect } from "effect"
import { isAtMost } from "../accounts/people/Role.ts"
import type { Session } from "../accounts/sessions/Sessions.ts"
import type { Access } from "./Access.ts"
import { roleInsufficient } from "./ConsoleProblems.ts"
import { LeastRole } from "./contract/Parts.ts"

/** The session of the request. */
export class CurrentSession extends Context.Service<CurrentSession, Session>()(
  "@solar-sites/reference-server/CurrentSession"
) {}

/** Checks origin, session, rate limit and role, in this order, before the body is read. */
export const withSession =
  ({ admit }: Pick<Access, "admit">): HostMiddleware<CurrentCaller | CurrentSession> =>
  (incoming, endpoint, serve) =>
    Effect.flatMap(admit(incoming), (session) => {
      incoming.identify(session.caller)
      const needed = Context.get(endpoint.annotations, LeastRole)
      if (!isAtMost(needed, session.user.role)) return Effect.fail(roleInsufficient(needed))
      return serve.pipe(
        Effect.provideService(CurrentCaller, session.caller),
        Effect.provideService(CurrentSession, session)
      )
    })

/** Serves everybody. */
export const withoutSession: HostMiddleware<never> = (_incoming, _endpoint, serve) => serve
