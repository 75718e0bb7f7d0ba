/**
 * Rules of second factors (specification, section 13; docs/console.md).
 */
import { Schema } from "effect"
import { about, type Expected, emit, emitMail, idOf, ok, type Rule, refused, type Turn } from "../Call.ts"
import { given } from "../Input.ts"
import { Hole } from "../Match.ts"
import type { Factor, User } from "../PeopleState.ts"
import { isActive, matchingStep, useCode } from "./Codes.ts"
import { forManager, manages, roleInsufficient, userOf } from "./Roles.ts"
import { credentialsChanged } from "./SessionEnds.ts"
import { passwordWrong, userNotFound } from "./Users.ts"

const wrong = refused(403, "second_factor_wrong")
const enabled = refused(409, "second_factor_enabled")
const notEnabled = refused(409, "second_factor_not_enabled")
const demanded = refused(403, "second_factor_demanded")

const code = { code: Schema.String }
const password = { password: Schema.optionalKey(Schema.NullOr(Schema.String)) }

const documentOf = ({ organisation }: Turn, { factor, password: known }: User): Record<string, unknown> => ({
  enabled: isActive(factor),
  enabledAt: factor?.enabledAt ?? null,
  recoveryCodesLeft: factor?.codes.length ?? 0,
  required: organisation.requireSecondFactor,
  hasPassword: known !== null
})

const withBody =
  <Values>(schema: Schema.Decoder<Values>, rule: (turn: Turn, user: User, values: Values) => Expected): Rule =>
  (turn) =>
    given(schema, turn.call, (values) => rule(turn, userOf(turn), values))

/** Ten codes, which replace all others. */
const newCodes = ({ organisation }: Turn, factor: Factor): Hole =>
  new Hole("recovery codes", (found) => {
    const isCode = (one: unknown) => typeof one === "string" && /^([a-z2-7]{4}-){5}[a-z2-7]{4}$/.test(one)
    if (!Array.isArray(found) || found.length !== 10 || !found.every(isCode)) return false
    factor.codes = found.map(String)
    organisation.recoveryCodes.push(...factor.codes)
    return true
  })

const switched = (turn: Turn, user: User, isOn: boolean, kept: Turn["caller"]["session"]): void => {
  emit(turn, "user.updated", about("user", user), null, { secondFactor: { from: !isOn, to: isOn } })
  credentialsChanged(turn, user, kept)
}

/** A user without a password needs none. */
const isConfirmed = ({ password: known }: User, values: { readonly password?: string | null }): boolean =>
  known === null || known === values.password

const changedMail = "The second factor of your account on Solar Sites was changed"

export const secondFactorRules: Readonly<Record<string, Rule>> = {
  getSecondFactor: (turn) => ok(200, documentOf(turn, userOf(turn))),
  beginSecondFactor: withBody(Schema.Struct(password), (_, user, values) => {
    if (!isConfirmed(user, values)) return passwordWrong
    if (isActive(user.factor)) return enabled
    const factor: Factor = { secret: "", enabledAt: null, lastStep: 0, codes: [] }
    const secret = new Hole("a secret", (found) => {
      factor.secret = String(found)
      user.factor = factor
      return /^[A-Z2-7]{32}$/.test(factor.secret)
    })
    const uri = new Hole("the address of the secret", (found) => {
      const url = new URL(String(found))
      const account = decodeURIComponent(url.pathname.split("/").at(-1) ?? "")
      return url.protocol === "otpauth:" && account.endsWith(`:${user.email}`) && url.searchParams.has("secret")
    })
    return ok(200, { secret, uri })
  }),
  enableSecondFactor: withBody(Schema.Struct(code), (turn, user, values) => {
    const { factor } = user
    if (factor === null) return notEnabled
    if (isActive(factor)) return enabled
    const step = values.code.length > 100 ? undefined : matchingStep(factor.secret, values.code, turn.at["@from"])
    if (step === undefined) return wrong
    factor.enabledAt = { ...turn.at }
    factor.lastStep = step
    switched(turn, user, true, turn.caller.session)
    emitMail(turn, turn.organisation, { to: user.email, subject: changedMail })
    return ok(200, { ...documentOf(turn, user), recoveryCodesLeft: 10, recoveryCodes: newCodes(turn, factor) })
  }),
  renewRecoveryCodes: withBody(Schema.Struct(code), (turn, user, values) => {
    const { factor } = user
    if (!isActive(factor)) return notEnabled
    if (!useCode(turn, user, factor, values.code)) return wrong
    emit(turn, "user.updated", about("user", user), null, { recoveryCodes: { from: null, to: null } })
    return ok(200, { recoveryCodes: newCodes(turn, factor) })
  }),
  disableSecondFactor: withBody(Schema.Struct({ ...password, ...code }), (turn, user, values) => {
    if (turn.organisation.requireSecondFactor) return demanded
    if (!isConfirmed(user, values)) return passwordWrong
    if (!isActive(user.factor)) return notEnabled
    if (!useCode(turn, user, user.factor, values.code)) return wrong
    user.factor = null
    switched(turn, user, false, turn.caller.session)
    emitMail(turn, turn.organisation, { to: user.email, subject: changedMail })
    return ok(204)
  }),
  resetSecondFactor: forManager((turn, by) => {
    const id = idOf(turn)
    if (id === by.id) return refused(403, "own_second_factor")
    const user = turn.organisation.users.get(id)
    if (user === undefined) return userNotFound
    if (!manages(by.role, user.role)) return roleInsufficient
    if (!isActive(user.factor)) return notEnabled
    user.factor = null
    switched(turn, user, false, null)
    const subject = "The second factor of your account on Solar Sites was removed"
    emitMail(turn, turn.organisation, { to: user.email, subject })
    return ok(204)
  })
}

/** Operations of users who must set up a second factor first. */
export const setUpOperations: ReadonlyArray<string> = [
  ...["getSession", "getSecondFactor", "beginSecondFactor"],
  ...["enableSecondFactor", "renewRecoveryCodes", "disableSecondFactor"]
]
