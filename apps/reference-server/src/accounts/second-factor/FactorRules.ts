/** Commands on second factors, with their rules as pure functions. Secrets and digests are hexadecimal. */
import { type EventChanges, type Find, type Found, makeUnchecked, type Stored, type UserId } from "@solar-sites/core"
import { Data, Result } from "effect"
import { type Command, changing, find, on, removing, storing, unchanged } from "../Commands.ts"
import { settingsKind } from "../organisation/OrganisationSettings.ts"
import { type Manager, managed } from "../people/Authority.ts"
import type { RoleInsufficient } from "../people/Role.ts"
import type { User, UserIds, UserNotFound } from "../people/User.ts"
import { type StoredUser, type UserRecord, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { findsOfPassword, withNextVersion } from "../sessions/SessionRules.ts"
import { FactorRecord, factorKind } from "./FactorKind.ts"

/** The user has an active factor already, or none. */
export class SecondFactorState extends Data.TaggedError("SecondFactorState")<{ readonly isEnabled: boolean }> {}

/** The records that `factorState` reads. */
export const findsOfState = ({ id, organisationId }: UserIds): ReadonlyArray<Find> => [
  find(userKind, "id", id),
  find(factorKind, "id", id),
  find(settingsKind, "id", organisationId)
]

/** `secret` is null without a factor, `enabledAt` (milliseconds) until it is active. Null without the user. */
export const factorState = (found: Found, { id, organisationId }: UserIds) => {
  const user = found.byId(userKind, id)?.record
  const factor = found.byId(factorKind, id)?.record
  if (user === undefined) return null
  return {
    email: user.email,
    passwordVersion: user.passwordVersion,
    hasPassword: user.passwordHash !== null,
    isRequired: found.byId(settingsKind, organisationId)?.record.requireSecondFactor ?? false,
    secret: factor?.secret ?? null,
    enabledAt: factor?.enabledAt?.epochMilliseconds ?? null,
    recoveryCodesLeft: factor?.recoveryCodes.length ?? 0
  }
}

export type StoredFactor = NonNullable<ReturnType<typeof factorState>>

/** The beginning of a command on the factor of a user. */
const onFactor = ({ id, organisationId }: UserIds, operation: string) => ({
  ...on(factorKind, id, `SecondFactors.${operation}`, organisationId),
  finds: [find(userKind, "id", id), find(factorKind, "id", id)]
})

/** The same for one that also ends sessions. */
const onSwitch = (owner: UserIds, operation: string) => ({
  ...onFactor(owner, operation),
  finds: [...findsOfPassword(owner.id), find(factorKind, "id", owner.id)]
})

const changed = (factor: Stored<FactorRecord>, members: Partial<FactorRecord>) =>
  storing(factorKind, factor, makeUnchecked(FactorRecord, { ...factor.record, ...members }))

const event = (user: UserRecord, changes: EventChanges) => userEvent("user.updated", user, user, changes)

/** The user and its active factor. */
const active = (found: Found, id: UserId) => {
  const user = found.byId(userKind, id)
  const factor = found.byId(factorKind, id)
  return user === null || factor === null || factor.record.enabledAt === null ? null : { user, factor }
}

const refusing = (isEnabled: boolean) => Result.fail(new SecondFactorState({ isEnabled }))

/** Stores a secret that is not active yet, in place of an earlier one. */
export const beginFactor = (owner: UserIds, secret: string): Command<void, SecondFactorState> => ({
  ...onFactor(owner, "begin"),
  rule: (found) => {
    const { id, organisationId } = owner
    const factor = found.byId(factorKind, id)
    if (found.byId(userKind, id) === null || active(found, id) !== null) return refusing(true)
    const none = { enabledAt: null, lastStep: 0, recoveryCodes: [] }
    const after = makeUnchecked(FactorRecord, { id, organisationId, secret, ...none })
    return changing(undefined, [storing(factorKind, factor, after)], [], [id])
  }
})

/** The user with all sessions but the kept one (a digest) ended, as after a change of the password. */
const switched = (found: Found, user: StoredUser, keptSession: string | null) =>
  withNextVersion(found, user, {}, ({ digest }) => digest === keptSession)

/** `step` is that of the confirming code. */
interface EnabledFactor {
  readonly keptSession: string | null
  readonly secret: string
  readonly step: number
  readonly recoveryCodes: ReadonlyArray<string>
}

/** Refuses when the secret has been replaced or is active already. */
export const enableFactor = (
  owner: UserIds,
  { keptSession, recoveryCodes, secret, step }: EnabledFactor
): Command<void, SecondFactorState> => ({
  ...onSwitch(owner, "enable"),
  rule: (found, at) => {
    const user = found.byId(userKind, owner.id)
    const factor = found.byId(factorKind, owner.id)
    if (user === null || factor === null) return refusing(false)
    if (factor.record.enabledAt !== null || factor.record.secret !== secret) {
      return refusing(factor.record.enabledAt !== null)
    }
    const { after, writes } = switched(found, user, keptSession)
    const enabled = changed(factor, { enabledAt: at, lastStep: step, recoveryCodes })
    const events = [event(after, { secondFactor: { from: false, to: true } })]
    return changing(undefined, [enabled, ...writes], events)
  }
})

export const disableFactor = (owner: UserIds, keptSession: string | null): Command<User, SecondFactorState> => ({
  ...onSwitch(owner, "disable"),
  rule: (found) => {
    const known = active(found, owner.id)
    if (known === null) return refusing(false)
    const { after, writes } = switched(found, known.user, keptSession)
    const events = [event(after, { secondFactor: { from: true, to: false } })]
    return changing(userOf(after), [removing(factorKind, known.factor), ...writes], events)
  }
})

/**
 * Removes the factor of another user, such as one who has lost the phone and the recovery codes. Its role has to be one
 * that the manager may manage. The own factor is not reset but switched off, which needs password and code.
 */
export const resetFactor = (
  userId: UserId,
  by: Manager
): Command<User, UserNotFound | RoleInsufficient | SecondFactorState> => {
  const disabling = disableFactor({ id: userId, organisationId: by.organisationId }, null)
  return {
    ...disabling,
    operation: "UserChanges.resetSecondFactor",
    rule: (found, at) => Result.flatMap(managed(found, userId, by), () => disabling.rule(found, at))
  }
}

/** False for a step that is not after the last used one: of two concurrent uses one succeeds. */
export const useStep = (owner: UserIds, step: number): Command<boolean> => ({
  ...onFactor(owner, "useStep"),
  rule: (found) => {
    const known = active(found, owner.id)
    if (known === null || known.factor.record.lastStep >= step) return unchanged(false)
    // The id of the user is that of the factor.
    return changing(true, [changed(known.factor, { lastStep: step })], [], [owner.id])
  }
})

/** False for an unknown or used code. */
export const useRecoveryCode = (owner: UserIds, digest: string): Command<boolean> => ({
  ...onFactor(owner, "useRecoveryCode"),
  rule: (found) => {
    const known = active(found, owner.id)
    const before = known?.factor.record.recoveryCodes ?? []
    if (known === null || !before.includes(digest)) return unchanged(false)
    const recoveryCodes = before.filter((code) => code !== digest)
    const left = { from: before.length, to: recoveryCodes.length }
    const events = [event(known.user.record, { recoveryCodesLeft: left })]
    return changing(true, [changed(known.factor, { recoveryCodes })], events, [owner.id])
  }
})

export const renewRecoveryCodes = (
  owner: UserIds,
  recoveryCodes: ReadonlyArray<string>
): Command<void, SecondFactorState> => ({
  ...onFactor(owner, "renewRecoveryCodes"),
  rule: (found) => {
    const known = active(found, owner.id)
    if (known === null) return refusing(false)
    const events = [event(known.user.record, { recoveryCodes: { from: null, to: null } })]
    return changing(undefined, [changed(known.factor, { recoveryCodes })], events, [owner.id])
  }
})
