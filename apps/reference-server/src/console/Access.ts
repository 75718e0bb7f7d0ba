/**
 * Access to the endpoints of the console: a session and, for changes, an `Origin`
 * of the console. Browsers send a cookie automatically, so it alone allows no change.
 */
import { RateLimiter } from "@solar-sites/core"
import type { HostRefused, LimitFailures, Refusal } from "@solar-sites/http-node"
import { Duration, Effect, Option } from "effect"
import type { Session, Sessions } from "../accounts/sessions/Sessions.ts"
import { problems, rateLimited } from "./ConsoleProblems.ts"
import { openIdCookie, sessionCookie, type TokenCookie } from "./Cookie.ts"

/** The checked parts of a request. */
interface CheckedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A request that needs a session. An invalid session counts as a failed authentication. */
interface SessionRequest {
  readonly request: CheckedRequest
  readonly limitFailures: LimitFailures
}

export interface Access {
  readonly sessions: Sessions
  readonly cookie: TokenCookie
  readonly openIdCookie: TokenCookie
  /** False while the server accepts no passwords: the provider decides about users. */
  readonly passwords: boolean
  /** Refuses a change from another origin. */
  readonly requireOrigin: (request: CheckedRequest) => Effect.Effect<void, HostRefused>
  /**
   * Also refuses requests without a session, above the rate limit, and of users who must set up a
   * second factor first.
   */
  readonly admit: (request: SessionRequest) => Effect.Effect<Session, Refusal>
  /** Like `admit`, for what users need to set up a second factor. */
  readonly admitToSetUp: (request: SessionRequest) => Effect.Effect<Session, Refusal>
}

/**
 * `publicUrl` is the address of the console, if configured. `rateLimitPerMinute`
 * holds per user, for all sessions together; 0 is no limit.
 */
export interface AccessOptions extends Pick<Access, "passwords" | "sessions"> {
  readonly publicUrl: Option.Option<string>
  readonly rateLimitPerMinute: number
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

/**
 * Without `publicUrl` the origin must have the requested host. A proxy may have changed the
 * scheme.
 */
const isOwn = (origin: string, host: string, ownOrigin: string | undefined): boolean =>
  ownOrigin === undefined ? /^https?:\/\/(.+)$/.exec(origin)?.[1] === host : origin === ownOrigin

export const makeAccess = ({
  passwords,
  publicUrl,
  rateLimitPerMinute,
  sessions
}: AccessOptions): Effect.Effect<Access, never, RateLimiter> =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const own = Option.getOrUndefined(Option.map(publicUrl, (address) => new URL(address)))
    const isSecure = own?.protocol === "https:"
    const cookie = sessionCookie(isSecure)
    const quota = { limit: rateLimitPerMinute, window: Duration.minutes(1) }

    const requireOrigin: Access["requireOrigin"] = ({ headers: { host = "", origin = "" }, method }) =>
      isRead(method) || isOwn(origin, host.toLowerCase(), own?.origin)
        ? Effect.void
        : Effect.fail(problems.origin_not_allowed)

    const limit = ({ organisation, user }: Session) =>
      rateLimitPerMinute === 0
        ? Effect.void
        : Effect.flatMap(limiter.take(`user:${organisation.id}:${user.id}`, quota), ({ allowed, retryAfter }) =>
            allowed ? Effect.void : Effect.fail(rateLimited("You ask too often; see Retry-After.", retryAfter))
          )

    const findSession = Effect.fnUntraced(function* (headers: CheckedRequest["headers"]) {
      const token = cookie.read(headers)
      return (token === undefined ? null : yield* sessions.find(token)) ?? (yield* problems.session_missing)
    })

    const admitToSetUp = Effect.fnUntraced(function* ({ limitFailures, request }: SessionRequest) {
      yield* requireOrigin(request)
      // A request without a cookie is not a failed authentication.
      if (!cookie.isIn(request.headers)) return yield* problems.session_missing
      const session = yield* limitFailures(findSession(request.headers))
      yield* limit(session)
      return session
    })

    const admit = Effect.fnUntraced(function* (request: SessionRequest) {
      const session = yield* admitToSetUp(request)
      return session.mustSetUpSecondFactor ? yield* problems.second_factor_setup_required : session
    })

    return { sessions, cookie, openIdCookie: openIdCookie(isSecure), passwords, requireOrigin, admit, admitToSetUp }
  })
