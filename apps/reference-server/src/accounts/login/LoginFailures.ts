/** Counts failed logins, and writes an event of those of known users. */
import { RateLimiter } from "@solar-sites/core"
import { Duration, Effect } from "effect"
import { type Command, changing, find, makeCommands, on, unchanged } from "../Commands.ts"
import type { UserIds } from "../people/User.ts"
import { userEvent, userKind } from "../people/UserKind.ts"
import { type LoginAttempt, LoginLimits } from "./LoginLimits.ts"

/** `code`: the password was right, the code of the second factor wrong. */
type FailureReason = "password" | "code"

// Per user, so that an attacker cannot fill the log.
const eventQuota = { limit: 10, window: Duration.minutes(15) }

/** The event of a failed login of a user. */
const failLogin = ({ id, organisationId }: UserIds, reason: FailureReason): Command<void> => ({
  ...on(userKind, id, "LoginFailures.write", organisationId),
  finds: [find(userKind, "id", id)],
  rule: (found) => {
    const user = found.byId(userKind, id)?.record
    if (user === undefined) return unchanged(undefined)
    const event = userEvent("user.login_failed", user, user, { reason: { from: null, to: reason } })
    return changing(undefined, [], [event], [id])
  }
})

/**
 * Counts a failed login. Fails if it exceeds a limit. The event is written in the background, so that known and unknown
 * users take the same time.
 */
export const loginFailures = Effect.gen(function* () {
  const limits = yield* LoginLimits
  const limiter = yield* RateLimiter
  const { decide } = yield* makeCommands
  const scope = yield* Effect.scope

  const report = Effect.fnUntraced(
    function* (user: UserIds, reason: FailureReason) {
      const { allowed } = yield* limiter.take(`login-event:${user.organisationId}:${user.id}`, eventQuota)
      if (allowed) yield* decide(failLogin(user, reason))
    },
    Effect.catchCause((cause) => Effect.logWarning("event of a failed login lost", cause))
  )

  return (attempt: LoginAttempt, user: UserIds | undefined, reason: FailureReason) =>
    Effect.andThen(user === undefined ? Effect.void : Effect.forkIn(report(user, reason), scope), limits.fail(attempt))
})
