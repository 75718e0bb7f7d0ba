/** Verification of passwords under the login limits: at the login, and before changes of the own account. */
import { Data, Effect, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import { isEmail } from "../people/User.ts"
import { type Credentials, userLookUps } from "../people/UserLookUps.ts"
import { rehashPassword } from "../people/UserRules.ts"
import { type LoginAttempt, LoginLimits, loginFailures } from "./LoginLimits.ts"
import { type Password, presentedPassword } from "./Password.ts"
import { PasswordHasher } from "./PasswordHasher.ts"

/**
 * Wrong e-mail address, wrong password or inactive organisation; the caller does not learn which.
 */
export class LoginFailed extends Data.TaggedError("LoginFailed")<Record<never, never>> {}

export interface PasswordAttempt extends Pick<LoginAttempt, "email" | "clientAddress"> {
  readonly password: string
}

/**
 * Succeeds with the credentials of the user with this e-mail address and password. Counts a failure. Takes the same time
 * for unknown addresses.
 */
export const passwordCheck = Effect.gen(function* () {
  const { decide } = yield* makeCommands
  const { findByLogin } = yield* userLookUps
  const hasher = yield* PasswordHasher
  const limits = yield* LoginLimits
  const countFailure = yield* loginFailures

  const match = Effect.fnUntraced(function* (
    attempt: LoginAttempt,
    found: Credentials | null,
    password: Password | undefined
  ) {
    // Checked again: other attempts may have failed while this one was queued.
    yield* limits.check(attempt)
    const matches = yield* hasher.verify(found?.passwordHash ?? undefined, password)
    if (matches && password !== undefined && found?.organisationStatus === "active") return { found, password }
    yield* countFailure(attempt, found?.user, "password")
    return yield* new LoginFailed()
  })

  const rehash = ({ passwordHash, passwordVersion, user }: Credentials, password: Password) =>
    passwordHash !== null && hasher.isOutdated(passwordHash)
      ? Effect.flatMap(hasher.hash(password), (hash) => decide(rehashPassword(user, passwordVersion, hash)))
      : Effect.void

  return Effect.fn("PasswordCheck.verify")(function* ({ clientAddress, email, password }: PasswordAttempt) {
    yield* limits.checkAddress(clientAddress)
    // An invalid address is looked up too, so that it takes the same time.
    const known = yield* findByLogin(isEmail(email) ? email : "")
    const attempt = { email, clientAddress, passwordVersion: known?.passwordVersion ?? 0 }
    yield* limits.check(attempt)
    const presented = Option.getOrUndefined(presentedPassword(password))
    const matched = match(attempt, known, presented)
    const { found } = yield* hasher.withPermit(Effect.tap(matched, ({ found, password }) => rehash(found, password)))
    return found
  })
})
