/** Serves endpoints of the console's contract: as the user of a session, to everybody, or to holders of a link. */
import { CallerLimited, CurrentCaller } from "@solar-sites/core"
import type { HostEndpointRequest, HostMiddleware, HostRefused, Refusal } from "@solar-sites/http-node"
import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { type AccountRefusal, refusingAccount, refusingLogin } from "../accounts/AccountProblems.ts"
import { isAtMost } from "../accounts/people/Role.ts"
import { parseAccountId } from "../accounts/people/User.ts"
import type { Session } from "../accounts/sessions/Sessions.ts"
import type { Access } from "./Access.ts"
import { problems, roleInsufficient } from "./ConsoleProblems.ts"
import { LeastRole, NeedsPasswords, OwnAccount, WholeOrganisation } from "./contract/Parts.ts"

/** The session of the request. */
export class CurrentSession extends Context.Service<CurrentSession, Session>()(
  "@solar-sites/reference-server/CurrentSession"
) {}

/** The user of the session. */
export const currentUser = Effect.map(CurrentSession, ({ user }) => user)

/** True when the path names the user of the session. Refuses a malformed id. */
const isOwn = (id: string | undefined, { user }: Session) =>
  Option.match(parseAccountId(id), {
    onNone: () => Effect.fail(problems.user_not_found),
    onSome: (named) => Effect.succeed(named === user.id)
  })

const requirePasswords = ({ passwords }: Pick<Access, "passwords">, { annotations }: HttpApiEndpoint.Top) =>
  Context.get(annotations, NeedsPasswords) && !passwords ? Effect.fail(problems.password_login_off) : Effect.void

/** Checks origin, session, rate limit, role, limit and whether passwords are accepted, in this order, before the body is read. */
export const withSession =
  (access: Pick<Access, "admit" | "passwords">): HostMiddleware<CurrentCaller | CurrentSession, AccountRefusal> =>
  (incoming, endpoint, serve) =>
    Effect.gen(function* () {
      const session = yield* access.admit(incoming)
      incoming.identify(session.caller)
      const needed = Context.get(endpoint.annotations, LeastRole)
      const isExempt = Context.get(endpoint.annotations, OwnAccount) && (yield* isOwn(incoming.params["id"], session))
      if (!isExempt && !isAtMost(needed, session.user.role)) return yield* roleInsufficient(needed)
      if (Context.get(endpoint.annotations, WholeOrganisation) && session.user.portfolioIds !== null) {
        return yield* new CallerLimited()
      }
      yield* requirePasswords(access, endpoint)
      return yield* serve.pipe(
        Effect.provideService(CurrentCaller, session.caller),
        Effect.provideService(CurrentSession, session),
        refusingAccount
      )
    })

/** Serves everybody. Checks origin and whether passwords are accepted before the body is read. */
export const withoutSession =
  (access: Access): HostMiddleware<never, AccountRefusal> =>
  ({ request }, endpoint, serve) =>
    access
      .requireOrigin(request)
      .pipe(Effect.andThen(requirePasswords(access, endpoint)), Effect.andThen(refusingLogin(serve)))

/**
 * Runs the use of a link, reading its body included: an address over its limit costs neither. The refusal of an
 * invalid link counts as a failed authentication, as sessions do.
 */
export const limitLinks = <A, R>(
  { limitFailures }: HostEndpointRequest,
  use: Effect.Effect<A, Refusal, R>,
  invalid: HostRefused = problems.link_invalid
): Effect.Effect<A, Refusal, R> =>
  Effect.uninterruptible(use).pipe(
    Effect.mapError((refusal) => (refusal === invalid ? problems.session_missing : refusal)),
    limitFailures,
    Effect.mapError((refusal) => (refusal === problems.session_missing ? invalid : refusal))
  )

/** As `withoutSession`, under the limit on invalid links. */
export const withLink =
  (access: Access): HostMiddleware<never, AccountRefusal> =>
  (incoming, endpoint, serve) =>
    withoutSession(access)(incoming, endpoint, limitLinks(incoming, refusingLogin(serve)))

/** Reads the id of a path; refuses a malformed one. */
export const accountIdOr =
  (missing: HostRefused) =>
  ({ id }: { readonly id: string }) =>
    Option.match(parseAccountId(id), { onNone: () => Effect.fail(missing), onSome: Effect.succeed })
