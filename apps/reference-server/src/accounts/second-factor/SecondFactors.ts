/**
 * Second factors of users: codes of an authenticator app (TOTP) and recovery codes. Switching one on or off counts as a
 * change of the password: a login that is under way with the old state creates no session.
 */
import { RandomBytes, type RateLimiter, type Records, type RepositoryError } from "@solar-sites/core"
import { Clock, Context, Data, Effect, Layer, Semaphore } from "effect"
import { makeCommands } from "../Commands.ts"
import { type LoginLimited, LoginLimits, loginFailures } from "../login/LoginLimits.ts"
import type { UserIds } from "../people/User.ts"
import {
  beginFactor,
  enableFactor,
  factorState,
  findsOfState,
  renewRecoveryCodes,
  SecondFactorState,
  type StoredFactor,
  useRecoveryCode,
  useStep
} from "./FactorRules.ts"
import * as RecoveryCodes from "./RecoveryCodes.ts"
import { base32, keyUri, matchingStep, secretBytes } from "./Totp.ts"

const issuer = "Solar Sites"
const longestCode = 100
// Bounds the guesses that are checked before the first failure counts.
const concurrency = 2

/** The password is right; a code is needed too. */
export class SecondFactorRequired extends Data.TaggedError("SecondFactorRequired")<Record<never, never>> {}

/** Wrong, used or outdated code. */
export class SecondFactorWrong extends Data.TaggedError("SecondFactorWrong")<Record<never, never>> {}

/** A code from a client. */
export interface CodeAttempt {
  readonly code: string
  readonly clientAddress: string | undefined
}

type Verified<A> = Effect.Effect<A, SecondFactorWrong | SecondFactorState | LoginLimited | RepositoryError>

export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    /** Checks the code of a login with a right password. Succeeds without an active factor. */
    readonly require: (
      owner: UserIds,
      login: { readonly code?: string | undefined; readonly clientAddress: string | undefined }
    ) => Effect.Effect<void, SecondFactorRequired | SecondFactorWrong | LoginLimited | RepositoryError>

    /** Null for an unknown user. */
    readonly find: (owner: UserIds) => Effect.Effect<StoredFactor | null, RepositoryError>

    /** Makes a secret, which becomes active with its first code. */
    readonly begin: (
      owner: UserIds
    ) => Effect.Effect<{ readonly secret: string; readonly uri: string }, SecondFactorState | RepositoryError>

    /** Returns the recovery codes. Ends all sessions but `keptSession`, a digest. */
    readonly enable: (owner: UserIds, attempt: CodeAttempt, keptSession: string) => Verified<ReadonlyArray<string>>

    /** Uses the code up. */
    readonly verify: (owner: UserIds, attempt: CodeAttempt) => Verified<void>

    /** Makes new recovery codes in place of all others. */
    readonly renewRecoveryCodes: (owner: UserIds, attempt: CodeAttempt) => Verified<ReadonlyArray<string>>
  }
>()("@solar-sites/reference-server/SecondFactors") {
  static readonly layer: Layer.Layer<SecondFactors, never, Records | LoginLimits | RateLimiter> = Layer.effect(
    SecondFactors,
    Effect.gen(function* () {
      const { decide, load } = yield* makeCommands
      const limits = yield* LoginLimits
      const countFailure = yield* loginFailures
      const randomBytes = yield* RandomBytes
      const permits = yield* Semaphore.make(concurrency)

      const stepOf = (secret: string, code: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => matchingStep(Buffer.from(secret, "hex"), code, now))

      /** Runs `use` on a code under the login limits; counts a failure when it returns undefined. */
      const limited = <A>(
        owner: UserIds,
        { email, passwordVersion }: StoredFactor,
        { clientAddress, code }: CodeAttempt,
        use: (code: string) => Effect.Effect<A | undefined, RepositoryError>
      ) => {
        const attempt = { email, passwordVersion, clientAddress }
        return permits.withPermits(1)(
          Effect.gen(function* () {
            yield* limits.check(attempt)
            const result = code.length > longestCode ? undefined : yield* use(code.trim())
            if (result !== undefined) return result
            yield* countFailure(attempt, owner, "code")
            return yield* new SecondFactorWrong()
          })
        )
      }

      const useCode = (owner: UserIds, secret: string) =>
        Effect.fnUntraced(function* (code: string) {
          const digits = code.replaceAll(" ", "")
          if (!/^\d{6}$/.test(digits)) {
            return (yield* decide(useRecoveryCode(owner, RecoveryCodes.digest(code)))) ? true : undefined
          }
          const step = yield* stepOf(secret, digits)
          if (step === undefined) return undefined
          return (yield* decide(useStep(owner, step))) ? true : undefined
        })

      const find = (owner: UserIds) =>
        Effect.map(load("SecondFactors.find", owner.organisationId, findsOfState(owner)), (found) =>
          factorState(found, owner)
        )

      const verify = Effect.fn("SecondFactors.verify")(function* (owner: UserIds, attempt: CodeAttempt) {
        const factor = yield* find(owner)
        if (factor?.secret == null || factor.enabledAt === null) {
          return yield* new SecondFactorState({ isEnabled: false })
        }
        yield* limited(owner, factor, attempt, useCode(owner, factor.secret))
      })

      return SecondFactors.of({
        find,
        verify,

        require: Effect.fn("SecondFactors.require")(function* (owner, { clientAddress, code = "" }) {
          const factor = yield* find(owner)
          if (factor?.secret == null || factor.enabledAt === null) return
          if (code.trim() === "") return yield* new SecondFactorRequired()
          yield* limited(owner, factor, { code, clientAddress }, useCode(owner, factor.secret))
        }),

        begin: Effect.fn("SecondFactors.begin")(function* (owner) {
          const factor = yield* find(owner)
          const secret = randomBytes(secretBytes)
          yield* decide(beginFactor(owner, Buffer.from(secret).toString("hex")))
          return { secret: base32(secret), uri: keyUri(secret, { account: factor?.email ?? "", issuer }) }
        }),

        enable: Effect.fn("SecondFactors.enable")(function* (owner, attempt, keptSession) {
          const factor = yield* find(owner)
          if (factor?.secret == null) return yield* new SecondFactorState({ isEnabled: false })
          if (factor.enabledAt !== null) return yield* new SecondFactorState({ isEnabled: true })
          const { secret } = factor
          const step = yield* limited(owner, factor, attempt, (code) => stepOf(secret, code.replaceAll(" ", "")))
          const codes = yield* RecoveryCodes.generate
          const recoveryCodes = codes.map(RecoveryCodes.digest)
          yield* decide(enableFactor(owner, { secret, step, recoveryCodes, keptSession }))
          return codes
        }),

        renewRecoveryCodes: Effect.fn("SecondFactors.renewRecoveryCodes")(function* (owner, attempt) {
          yield* verify(owner, attempt)
          const codes = yield* RecoveryCodes.generate
          yield* decide(renewRecoveryCodes(owner, codes.map(RecoveryCodes.digest)))
          return codes
        })
      })
    })
  )
}
