/**
 * Limits of failed logins (specification, section 13), shared by servers with a common Redis.
 *
 * An account is never locked. Failures count per client network (an IPv4 address, an IPv6 /64), and
 * per account and network; a right password from a network without failures is let in
 * (docs/decisions/0035). A successful login neither counts nor resets a count.
 */
import { hash } from "node:crypto"
import { RateLimiter } from "@solar-sites/core"
import { type FailureLimit, failureLimit } from "@solar-sites/http-node"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { type Command, changing, find, makeCommands, on, unchanged } from "../Commands.ts"
import { loginOf, type UserIds } from "../people/User.ts"
import { userEvent, userKind } from "../people/UserKind.ts"

const window = Duration.minutes(15)
const perNetwork = { limit: 60, window }
const perAccountAndNetwork = { limit: 10, window }
/** More failures than this, from anywhere, are an attack on the account. */
const perAccount = { limit: 100, window: Duration.days(1) }
/** Attempts of one network while the account is attacked. */
const perNetworkInAttack = { limit: 3, window: Duration.days(1) }

/** Too many logins have failed. */
export class LoginLimited extends Data.TaggedError("LoginLimited")<{ readonly retryAfter: Duration.Duration }> {}

/** `clientAddress` is the network of the client, `undefined` where it is not known. */
export interface LoginAttempt {
  readonly email: string
  /** Counts changes of the password, so that a new one starts without failures; 0 of an unknown account. */
  readonly passwordVersion: number
  readonly clientAddress: string | undefined
}

// Hashed, so that no e-mail address is stored in Redis.
const accountOf = ({ email, passwordVersion }: LoginAttempt): string =>
  hash("sha256", `${passwordVersion}:${loginOf(email)}`)

/** Clients without a known address count as one network. */
const nameOf = (attempt: LoginAttempt): string => `${accountOf(attempt)}:${attempt.clientAddress ?? "unknown"}`

type Waits = ReadonlyArray<Duration.Duration | null>

const longest = (waits: Waits): Duration.Duration | null =>
  waits.reduce((a, b) => (a === null || b === null ? (a ?? b) : Duration.max(a, b)), null)

const refuse = (waits: Waits) => {
  const retryAfter = longest(waits)
  return retryAfter === null ? Effect.void : Effect.fail(new LoginLimited({ retryAfter }))
}

const countIn = (limit: FailureLimit, name: string): Effect.Effect<Duration.Duration | null> =>
  Effect.map(limit.count(name), ({ allowed, retryAfter }) => (allowed ? null : retryAfter))

/** Refused by both: the account is attacked, and the network has failed too often during it. */
const both = (one: Duration.Duration | null, other: Duration.Duration | null): Duration.Duration | null =>
  one === null || other === null ? null : Duration.min(one, other)

export class LoginLimits extends Context.Service<
  LoginLimits,
  {
    /** Fails while no attempt from the address is allowed. Does not count it. */
    readonly checkAddress: (clientAddress: string | undefined) => Effect.Effect<void, LoginLimited>
    /** Fails while the attempt is not allowed. Does not count it. */
    readonly check: (attempt: LoginAttempt) => Effect.Effect<void, LoginLimited>
    /** Counts a failed attempt; fails if it exceeds a limit. */
    readonly fail: (attempt: LoginAttempt) => Effect.Effect<void, LoginLimited>
  }
>()("@solar-sites/reference-server/LoginLimits") {
  /** For servers with rate limits switched off. */
  static readonly layerUnlimited: Layer.Layer<LoginLimits> = Layer.succeed(LoginLimits, {
    checkAddress: () => Effect.void,
    check: () => Effect.void,
    fail: () => Effect.void
  })

  static readonly layer: Layer.Layer<LoginLimits, never, RateLimiter> = Layer.effect(
    LoginLimits,
    Effect.map(RateLimiter, (limiter) => {
      const networks = failureLimit(limiter, "login-network", perNetwork)
      const accountsInNetworks = failureLimit(limiter, "login-account-network", perAccountAndNetwork)
      const accounts = failureLimit(limiter, "login-account", perAccount)
      const inAttack = failureLimit(limiter, "login-attack", perNetworkInAttack)

      const ofAddress = <A>(clientAddress: string | undefined, read: (name: string) => Effect.Effect<A | null>) =>
        clientAddress === undefined ? Effect.succeed(null) : read(clientAddress)

      /** Refuses an attempt by all limits, each as `read` answers it. */
      const refuseBy = Effect.fnUntraced(function* (
        attempt: LoginAttempt,
        read: (limit: FailureLimit, name: string) => Effect.Effect<Duration.Duration | null>
      ) {
        const account = accountOf(attempt)
        const name = nameOf(attempt)
        yield* refuse([
          yield* ofAddress(attempt.clientAddress, (address) => read(networks, address)),
          yield* read(accountsInNetworks, name),
          both(yield* read(accounts, account), yield* read(inAttack, name))
        ])
      })

      return LoginLimits.of({
        checkAddress: (clientAddress) =>
          Effect.flatMap(ofAddress(clientAddress, networks.waitOf), (wait) => refuse([wait])),

        check: (attempt) => refuseBy(attempt, (limit, name) => limit.waitOf(name)),
        fail: (attempt) => refuseBy(attempt, countIn)
      })
    })
  )
}

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
