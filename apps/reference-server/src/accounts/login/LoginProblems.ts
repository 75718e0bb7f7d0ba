/** Refusals of logins and of changes of the own account: password, second factor, limits. */
import { ValidationFailed } from "@solar-sites/core"
import { HostRefused, type Refusal } from "@solar-sites/http-node"
import { Duration, Effect } from "effect"
import { challenge, loginFailed, rateLimited } from "../../console/ConsoleProblems.ts"
import type { SecondFactorState } from "../second-factor/FactorRules.ts"
import type { SecondFactorWrong } from "../second-factor/SecondFactors.ts"
import type { LoginLimited } from "./LoginLimits.ts"
import type { PasswordRefused } from "./Password.ts"
import type { LoginFailed } from "./PasswordCheck.ts"
import type { HasherOverloaded } from "./PasswordHasher.ts"

const wrong = {
  code: "second_factor_wrong",
  title: "Code wrong",
  detail: "The code is wrong, or was used already. Enter the current code of the app, or an unused recovery code."
}

const secondFactorRequired = new HostRefused({
  status: 401,
  code: "second_factor_required",
  title: "Code required",
  detail: "Log in again with `code`: the current code of the authenticator app, or a recovery code.",
  headers: challenge
})

const secondFactorWrongAtLogin = new HostRefused({ ...wrong, status: 401, headers: challenge })
const secondFactorWrong = new HostRefused({ ...wrong, status: 403 })

const passwordWrong = new HostRefused({
  status: 403,
  code: "password_wrong",
  title: "Password wrong",
  detail: "This is not your current password."
})

export const secondFactorSetupRequired = new HostRefused({
  status: 403,
  code: "second_factor_setup_required",
  title: "Second factor required",
  detail: "Your organisation requires a second factor. Set one up under your account."
})

/** An organisation that requires a factor does not let its users switch theirs off. */
export const secondFactorDemanded = new HostRefused({
  status: 403,
  code: "second_factor_demanded",
  title: "Second factor demanded",
  detail: "Your organisation requires a second factor; it cannot be switched off."
})

const secondFactorEnabled = new HostRefused({
  status: 409,
  code: "second_factor_enabled",
  title: "Second factor enabled",
  detail: "The second factor is switched on. Switch it off first."
})

const secondFactorNotEnabled = new HostRefused({
  status: 409,
  code: "second_factor_not_enabled",
  title: "Second factor not enabled",
  detail: "No second factor is switched on, or its set-up was not begun."
})

/** Without password and code only others remove a factor. */
export const ownSecondFactor = new HostRefused({
  status: 403,
  code: "own_second_factor",
  title: "Own second factor",
  detail: "Switch your own second factor off under your account."
})

type Refused = Effect.Effect<never, Refusal>

const limits = {
  LoginLimited: ({ retryAfter }: LoginLimited): Refused =>
    Effect.fail(rateLimited("Too many logins have failed; see Retry-After.", retryAfter)),
  HasherOverloaded: (): Refused =>
    Effect.fail(rateLimited("Too many log in at this moment; see Retry-After.", Duration.seconds(1)))
}

/** Refusals of a login, for `catchTags`. */
export const loginRefusals = {
  ...limits,
  LoginFailed: (): Refused => Effect.fail(loginFailed),
  SecondFactorRequired: (): Refused => Effect.fail(secondFactorRequired),
  SecondFactorWrong: (): Refused => Effect.fail(secondFactorWrongAtLogin)
}

type AccountRefusal = LoginFailed | LoginLimited | HasherOverloaded | SecondFactorWrong | SecondFactorState

/** Refusals of a request with a session that asks for the password, for `catchTags`. */
export const passwordRefusals = { ...limits, LoginFailed: (): Refused => Effect.fail(passwordWrong) }

/** Refusals of a new password. */
export const newPasswordRefusals = {
  HasherOverloaded: limits.HasherOverloaded,
  PasswordRefused: ({ reason }: PasswordRefused): Refused =>
    Effect.fail(new ValidationFailed({ faults: [{ pointer: "/password", code: "invalid_value", detail: reason }] }))
}

/** Refusals of one that also asks for a code. */
export const accountRefusals = {
  ...passwordRefusals,
  SecondFactorWrong: (): Refused => Effect.fail(secondFactorWrong),
  SecondFactorState: ({ isEnabled }: SecondFactorState): Refused =>
    Effect.fail(isEnabled ? secondFactorEnabled : secondFactorNotEnabled)
}

/** Refuses a change of the own account that fails for its password or code. */
export const refusingAccount = <A, R>(change: Effect.Effect<A, Refusal | AccountRefusal, R>) =>
  Effect.catchTags(change, accountRefusals)
