/**
 * How many logins may fail: ten per account and sixty per address in a quarter
 * of an hour, counted for all servers where they share a Redis. An account is
 * whatever was given as e-mail address, whether anybody has it or not. A success
 * costs nothing and gives nothing back.
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

/** Where an attempt comes from and whom it is for. */
export interface LoginAttempt {
  readonly email: string
  readonly clientAddress: string | undefined
}

/**
 * `check` fails while the attempt is not allowed, `fail` counts one that has
 * failed.
 */
export interface LoginLimits {
  readonly check: (attempt: LoginAttempt) => Effect.Effect<void, LoginLimited>
  readonly fail: (attempt: LoginAttempt) => Effect.Effect<void, LoginLimited>
}

/** No limits, for those who have switched them off. */
export const unlimited: LoginLimits = { check: () => Effect.void, fail: () => Effect.void }

export const loginLimits: Effect.Effect<LoginLimits, never, RateLimiter> = Effect.map(RateLimiter, (limiter) => {
  const accounts = failureLimit(limiter, "login-account", perAccount)
  const addresses = failureLimit(limiter, "login-address", perAddress)

  const limitsOf = ({ clientAddress, email }: LoginAttempt): ReadonlyArray<readonly [FailureLimit, string]> => [
    // Nobody's e-mail address goes to Redis.
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
