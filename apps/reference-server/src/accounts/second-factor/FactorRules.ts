/** Rules of second factors as pure functions: records and a command in, a change or a refusal out. */
import {
  type EventOrigin,
  type Find,
  type Found,
  makeUnchecked,
  type OrganisationId,
  type UserId
} from "@solar-sites/core"
import { Data, DateTime, Result } from "effect"
import { changing, inserting, type Rule, removing, unchanged, updating } from "../Commands.ts"
import { findsSettings, settingsKind } from "../organisation/SettingsKind.ts"
import { isSeenBy } from "../people/Authority.ts"
import type { Manager } from "../people/Managers.ts"
import { mayManage, type Role, RoleInsufficient } from "../people/Role.ts"
import { type User, UserNotFound } from "../people/User.ts"
import { findsUsers, type UserRecord, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { withNextVersion } from "../sessions/PasswordSessions.ts"
import { findsSessionsOf, sessionKind } from "../sessions/SessionKind.ts"
import { type AnyFactor, FactorRecord, factorKind, findsFactorOf } from "./FactorKind.ts"

export type FactorOwner = Pick<User, "id" | "organisationId">

/** State of a user. `secret` is null without a factor, `enabledAt` (milliseconds) until it is active. */
export interface StoredFactor {
  readonly email: string
  readonly role: Role
  readonly passwordVersion: number
  readonly hasPassword: boolean
  readonly isRequired: boolean
  readonly secret: string | null
  readonly enabledAt: number | null
  readonly recoveryCodesLeft: number
}

/** The user has an active factor already, or none. */
export class SecondFactorState extends Data.TaggedError("SecondFactorState")<{ readonly isEnabled: boolean }> {}

/**
 * `secret` and `recoveryCodes` are hexadecimal; `step` is that of the confirming code. `keptSession` is the digest of the
 * session that stays; all others of the user end.
 */
export interface EnabledFactor {
  readonly keptSession: string | null
  readonly secret: string
  readonly step: number
  readonly recoveryCodes: ReadonlyArray<string>
  readonly now: number
}

/** The records that rules of one factor read. */
export const findsOfFactor = (id: UserId): ReadonlyArray<Find> => [findsUsers(id), findsFactorOf(id)]

/** The records that `enableFactor`, `disableFactor` and `resetFactor` read. */
export const findsOfSwitch = (id: UserId): ReadonlyArray<Find> => [...findsOfFactor(id), findsSessionsOf(id)]

/** The records that `factorState` reads. */
export const findsOfState = (id: UserId, organisationId: OrganisationId): ReadonlyArray<Find> => [
  ...findsOfFactor(id),
  findsSettings(organisationId)
]

export const factorState = (found: Found, { id, organisationId }: FactorOwner): StoredFactor | null => {
  const user = found.byId(userKind, id)?.record
  const factor = found.byId(factorKind, id)?.record
  if (user === undefined) return null
  return {
    email: user.email,
    role: user.role,
    passwordVersion: user.passwordVersion,
    hasPassword: user.passwordHash !== null,
    isRequired: found.byId(settingsKind, organisationId)?.record.requireSecondFactor ?? false,
    secret: factor?.secret ?? null,
    enabledAt: factor?.enabledAt?.epochMilliseconds ?? null,
    recoveryCodesLeft: factor?.recoveryCodes.length ?? 0
  }
}

const changed = (factor: AnyFactor, members: Partial<FactorRecord>) =>
  updating(factorKind, factor, makeUnchecked(FactorRecord, { ...factor.record, ...members }))

const event = (user: UserRecord, name: string, from: boolean | number | null, to: boolean | number | null) =>
  userEvent("user.updated", user, user, { [name]: { from, to } })

/** The user and its active factor. */
const active = (found: Found, id: UserId) => {
  const user = found.byId(userKind, id)
  const factor = found.byId(factorKind, id)
  return user === null || factor === null || factor.record.enabledAt === null ? null : { user, factor }
}

/** Stores a secret that is not active yet, in place of an earlier one. False with an active factor. */
export const beginFactor =
  ({ id, organisationId }: FactorOwner, secret: string) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const factor = found.byId(factorKind, id)
    if (found.byId(userKind, id) === null || (factor !== null && factor.record.enabledAt !== null)) {
      return unchanged(false)
    }
    const none = { enabledAt: null, lastStep: 0, recoveryCodes: [] }
    const write =
      factor === null
        ? inserting(factorKind, makeUnchecked(FactorRecord, { id, organisationId, secret, ...none }))
        : changed(factor, { secret })
    return changing(true, origin, [write], [], { mayChange: [id] })
  }

/** The user with all sessions but the kept one ended, as after a change of the password. */
const switched = (found: Found, user: NonNullable<ReturnType<typeof active>>["user"], keptSession: string | null) =>
  withNextVersion(user, found.all(sessionKind, "userId", user.record.id), {}, ({ digest }) => digest === keptSession)

/** False when the secret has been replaced or is active already. */
export const enableFactor =
  (id: UserId, { keptSession, now, recoveryCodes, secret, step }: EnabledFactor) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const user = found.byId(userKind, id)
    const factor = found.byId(factorKind, id)
    if (user === null || factor === null) return unchanged(false)
    if (factor.record.enabledAt !== null || factor.record.secret !== secret) return unchanged(false)
    const { after, writes } = switched(found, user, keptSession)
    const enabled = changed(factor, { enabledAt: DateTime.makeUnsafe(now), lastStep: step, recoveryCodes })
    return changing(true, origin, [enabled, ...writes], [event(after, "secondFactor", false, true)])
  }

export const disableFactor =
  (id: UserId, keptSession: string | null) =>
  (origin: EventOrigin): Rule<User, SecondFactorState> =>
  (found) => {
    const known = active(found, id)
    if (known === null) return Result.fail(new SecondFactorState({ isEnabled: false }))
    const { after, writes } = switched(found, known.user, keptSession)
    const events = [event(after, "secondFactor", true, false)]
    return changing(userOf(after), origin, [removing(factorKind, known.factor), ...writes], events)
  }

/** Removes the factor of another user of a role that the manager may manage. */
export const resetFactor =
  (userId: UserId, by: Manager) =>
  (origin: EventOrigin): Rule<User, UserNotFound | RoleInsufficient | SecondFactorState> =>
  (found) => {
    const user = found.byId(userKind, userId)?.record
    if (user === undefined || !(by === "operator" || isSeenBy(by, user))) {
      return Result.fail(new UserNotFound({ userId }))
    }
    const { role } = user
    if (by !== "operator" && !mayManage(by.role, role)) {
      return Result.fail(new RoleInsufficient({ needed: role === "owner" ? "owner" : "admin" }))
    }
    return disableFactor(userId, null)(origin)(found)
  }

/** False for a step that is not after the last used one: of two concurrent uses one succeeds. */
export const useStep =
  (id: UserId, step: number) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const known = active(found, id)
    if (known === null || known.factor.record.lastStep >= step) return unchanged(false)
    const { factor } = known
    // The id of the user is that of the factor.
    return changing(true, origin, [changed(factor, { lastStep: step })], [], { mayChange: [id] })
  }

/** False for an unknown or used code. */
export const useRecoveryCode =
  (id: UserId, digest: string) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const known = active(found, id)
    const before = known?.factor.record.recoveryCodes ?? []
    if (known === null || !before.includes(digest)) return unchanged(false)
    const recoveryCodes = before.filter((code) => code !== digest)
    const events = [event(known.user.record, "recoveryCodesLeft", before.length, recoveryCodes.length)]
    return changing(true, origin, [changed(known.factor, { recoveryCodes })], events, { mayChange: [id] })
  }

export const renewRecoveryCodes =
  (id: UserId, recoveryCodes: ReadonlyArray<string>) =>
  (origin: EventOrigin): Rule<boolean> =>
  (found) => {
    const known = active(found, id)
    if (known === null) return unchanged(false)
    const events = [event(known.user.record, "recoveryCodes", null, null)]
    return changing(true, origin, [changed(known.factor, { recoveryCodes })], events, { mayChange: [id] })
  }
