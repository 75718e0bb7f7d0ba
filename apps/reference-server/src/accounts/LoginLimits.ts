/**
 * Limits of failed logins: 10 per account and 60 per address in 15 minutes, shared
 * by servers with a common Redis. An account is the given e-mail address, existing
 * or not. A successful login neither counts nor resets the count.
 */
import { hash } from "node:crypto"
import { RateLimiter } from "@solar-sites/core"
import { type FailureLimit, failureLimit } from "@solar-sites/http-node"
import { Data, Duration, Effect } from "effect"
import { loginOf } from "./User.ts"

const window = Duration.minutes(15)
const perAccount = { limit: 10, window }
const perAddress = { limit: 60, window }

/** Too many logins have failed. */
export class LoginLimited extends Data.TaggedError("LoginLimited")<{ readonly retryAfter: Duration.Duration }> {}

export interface LoginAttempt {
  readonly email: string
  readonly clientAddress: string | undefined
}

export interface LoginLimits {
  /** Fails while the attempt is not allowed. Does not count it. */
  readonly check: (attempt: LoginAttempt) => Effect.Effect<void, LoginLimited>
  /** Counts a failed attempt; fails if it exceeds a limit. */
  readonly fail: (attempt: LoginAttempt) => Effect.Effect<void, LoginLimited>
}

/** For servers with rate limits switched off. */
export const unlimited: LoginLimits = { check: () => Effect.void, fail: () => Effect.void }

export const loginLimits: Effect.Effect<LoginLimits, never, RateLimiter> = Effect.map(RateLimiter, (limiter) => {
  const accounts = failureLimit(limiter, "login-account", perAccount)
  const addresses = failureLimit(limiter, "login-address", perAddress)

  const limitsOf = ({ clientAddress, email }: LoginAttempt): ReadonlyArray<readonly [FailureLimit, string]> => [
    // Hashed, so that no e-mail address is stored in Redis.
    [accounts, hash("sha256", loginOf(email))],
    ...(clientAddress === undefined ? [] : ([[addresses, clientAddress]] as const))
  ]

  const longest = (waits: ReadonlyArray<Duration.Duration | null>) => {
    const present = waits.filter((wait) => wait !== null)
    return present.length === 0
      ? Effect.void
      : Effect.fail(new LoginLimited({ retryAfter: present.reduce((a, b) => Duration.max(a, b)) }))
  }

  return {
    check: (attempt) =>
      Effect.flatMap(
        Effect.forEach(limitsOf(attempt), ([limit, name]) => limit.waitOf(name)),
        longest
      ),
    fail: (attempt) =>
      Effect.flatMap(
        Effect.forEach(limitsOf(attempt), ([limit, name]) =>
          Effect.map(limit.count(name), ({ allowed, retryAfter }) => (allowed ? null : retryAfter))
        ),
        longest
      )
  }
})
