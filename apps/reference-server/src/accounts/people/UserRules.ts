/** Rules of users as pure functions: records and a command in, a change or a refusal out. */
import {
  apiKeyEvent,
  apiKeyKind,
  changesBetween,
  type EventOrigin,
  type Find,
  type Found,
  makeUnchecked,
  type OrganisationId,
  OrganisationNotFound,
  organisationReference,
  type UserId
} from "@solar-sites/core"
import { Result } from "effect"
import type { DigestChoice } from "../../digest/DigestChoice.ts"
import { changing, ids, inserting, type Rule, removing, unchanged, updating } from "../Commands.ts"
import { endedInvitations } from "../invitations/InvitationEvents.ts"
import { linkKind } from "../login/LinkKind.ts"
import { withNextVersion } from "../sessions/PasswordSessions.ts"
import { findsSessionsOf, sessionKind } from "../sessions/SessionKind.ts"
import { insufficientFor, isAtMost, managedBy, mayManage, Role, RoleInsufficient } from "./Role.ts"
import { EmailTaken, LastOwner, type User, UserNotFound } from "./User.ts"
import {
  changedUser,
  DeletedUserRecord,
  deletedUserKind,
  findsOwners,
  findsUsers,
  type StoredUser,
  type UserRecord,
  userEvent,
  userKind,
  userOf
} from "./UserKind.ts"

/** The acting user with the role that its session had. */
export type Manager = { readonly id: UserId; readonly role: Role } | "operator"

export interface UserChange {
  readonly role?: Role
  readonly name?: string
  readonly digest?: DigestChoice
}

/** The owners beside a user. A decision depends on the first one alone: it stays as it is until the commit. */
const otherOwners = (found: Found, userId: UserId) => {
  const [first, ...others] = found.all(userKind, "role", "owner").filter(({ record }) => record.id !== userId)
  return { first, mayChange: ids(others), all: first === undefined ? [] : ids([first, ...others]) }
}

/** The records that `createUser` reads. */
export const findsOfCreation = ({ id, organisationId }: UserRecord): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [organisationId] },
  findsUsers(id),
  findsOwners
]

/** Stores a new user. The first one of an organisation must be an owner. */
export const createUser =
  (user: UserRecord) =>
  (origin: EventOrigin): Rule<void, EmailTaken | LastOwner | OrganisationNotFound> =>
  (found) => {
    const { email, id, organisationId, role } = user
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    const owners = otherOwners(found, id)
    if (role !== "owner" && owners.first === undefined) return Result.fail(new LastOwner())
    if (found.isTaken(userKind, "login")) return Result.fail(new EmailTaken({ email }))
    const mayChange = role === "owner" ? owners.all : owners.mayChange
    return changing(undefined, origin, [inserting(userKind, user)], [userEvent("user.created", null, user)], {
      mayChange
    })
  }

/** The roles of other users that the manager may change; of itself only its own. */
const changeableBy = (by: Manager, userId: UserId, canChangeItself: boolean): ReadonlyArray<Role> => {
  if (by === "operator") return Role.literals
  if (by.id === userId && canChangeItself) return [by.role]
  return managedBy(by.role)
}

const mayGive = (by: Manager, userId: UserId, role: Role): boolean =>
  by === "operator" || (by.id === userId ? isAtMost(role, by.role) : mayManage(by.role, role))

const insufficient = (by: Manager, role?: Role) =>
  by === "operator" || role === "owner" ? new RoleInsufficient({ needed: "owner" }) : insufficientFor(by.role)

/** The user, when the manager may change it and still has the role of its session. */
const changeable = (
  found: Found,
  userId: UserId,
  by: Manager,
  canChangeItself: boolean
): Result.Result<StoredUser, UserNotFound | RoleInsufficient> => {
  const user = found.byId(userKind, userId)
  if (user === null) return Result.fail(new UserNotFound({ userId }))
  const isManager = by === "operator" || found.byId(userKind, by.id)?.record.role === by.role
  const isAllowed = isManager && changeableBy(by, userId, canChangeItself).includes(user.record.role)
  return isAllowed ? Result.succeed(user) : Result.fail(insufficient(by))
}

const findsManaged = (userId: UserId, by: Manager): ReadonlyArray<Find> => [
  findsUsers(...new Set(by === "operator" ? [userId] : [userId, by.id])),
  findsOwners,
  { kind: linkKind, by: "createdBy", values: [userId] }
]

/** The records that `changeUser` reads. */
export const findsOfChange = findsManaged

/** The user before and after a change. */
export interface ChangedUser {
  readonly user: User
  readonly roleBefore: Role
}

/**
 * Changes role, name and digest. An organisation keeps an owner. Invitations of the user end when it may no longer give their
 * role.
 */
export const changeUser =
  (userId: UserId, { digest, name, role }: UserChange, by: Manager) =>
  (origin: EventOrigin): Rule<ChangedUser, UserNotFound | LastOwner | RoleInsufficient> =>
  (found) => {
    if (role !== undefined && !mayGive(by, userId, role)) return Result.fail(insufficient(by, role))
    return Result.flatMap(changeable(found, userId, by, true), (before) => {
      const { digest: digestBefore, digestSince, name: nameBefore, role: roleBefore } = before.record
      const after = changedUser(before.record, {
        role: role ?? roleBefore,
        name: name ?? nameBefore,
        digest: digest ?? digestBefore,
        digestSince: (digest ?? digestBefore) === digestBefore ? digestSince : origin.occurredAt
      })
      const owners = otherOwners(found, userId)
      const isDemoted = roleBefore === "owner" && after.role !== "owner"
      if (isDemoted && owners.first === undefined) return Result.fail(new LastOwner())
      const answer = { user: userOf(after), roleBefore }
      const event = userEvent("user.updated", before.record, after, changesBetween(["digest"], before.record, after))
      const isSame = Object.keys(event.changes).length === 0
      const ended = endedInvitations(found, userId, after.role, origin.occurredAt)
      if (isSame && ended.writes.length === 0) return unchanged(answer)
      const manager = by === "operator" ? null : by.id
      const witnesses = (isDemoted ? owners.mayChange : owners.all).filter((id) => id !== manager)
      return changing(
        answer,
        origin,
        [updating(userKind, before, after), ...ended.writes],
        [...(isSame ? [] : [event]), ...ended.events],
        { mayChange: [...witnesses, ...ids(found.all(linkKind, "createdBy", userId))] }
      )
    })
  }

/** The records that `deleteUser` reads. Keys can name their creator in any letter case. */
export const findsOfDeletion = (organisationId: OrganisationId, userId: UserId, by: Manager): ReadonlyArray<Find> => [
  ...findsManaged(userId, by),
  { kind: apiKeyKind, by: "organisationId", values: [organisationId] },
  ...(by === "operator" ? [{ kind: userKind, by: "organisationId", values: [organisationId] }] : [])
]

/**
 * Deletes a user, its API keys and its open invitations. Its sessions, links and second factor go with it. The operator
 * may delete the only user of an organisation.
 */
export const deleteUser =
  (organisationId: OrganisationId, userId: UserId, by: Manager) =>
  (origin: EventOrigin): Rule<User, UserNotFound | LastOwner | RoleInsufficient> =>
  (found) =>
    Result.flatMap(changeable(found, userId, by, false), (before) => {
      const { record } = before
      const owners = otherOwners(found, userId)
      const members = found.all(userKind, "organisationId", organisationId)
      const isOnly = by === "operator" && members.length === 1
      const needsOwner = record.role === "owner" && !isOnly
      if (needsOwner && owners.first === undefined) return Result.fail(new LastOwner())
      const all = found.all(apiKeyKind, "organisationId", organisationId)
      const keys = all.filter(({ record: { createdBy } }) => createdBy?.toLowerCase() === userId)
      const ended = endedInvitations(found, userId, null, origin.occurredAt)
      const deletedAt = origin.occurredAt
      const tombstone = makeUnchecked(DeletedUserRecord, { id: userId, organisationId, deletedAt })
      const depends = new Set([by === "operator" ? null : by.id, needsOwner ? owners.first?.record.id : null])
      const read = [...owners.all, ...ids(members), ...ids(all), ...ids(found.all(linkKind, "createdBy", userId))]
      return changing(
        userOf(record),
        origin,
        [
          removing(userKind, before),
          inserting(deletedUserKind, tombstone),
          ...ended.writes,
          ...keys.map((key) => removing(apiKeyKind, key))
        ],
        [
          userEvent("user.deleted", record, null),
          ...keys.map((key) => apiKeyEvent("api_key.deleted", key.record, null)),
          ...ended.events
        ],
        { mayChange: read.filter((id) => !depends.has(id as UserId)) }
      )
    })

/** The records that `endRemainingInvitations` reads. */
export const findsOfRemaining = (userId: UserId): ReadonlyArray<Find> => [
  findsUsers(userId),
  { kind: linkKind, by: "createdBy", values: [userId] }
]

/**
 * Ends open invitations that the user made while its role changed or while it was deleted. None follows: each
 * needs the role that the user has when it is stored.
 */
export const endRemainingInvitations =
  (userId: UserId) =>
  (origin: EventOrigin): Rule<void> =>
  (found) => {
    const role = found.byId(userKind, userId)?.record.role ?? null
    const { events, writes } = endedInvitations(found, userId, role, origin.occurredAt)
    if (writes.length === 0) return unchanged(undefined)
    return changing(undefined, origin, writes, events, { mayChange: ids(found.all(linkKind, "createdBy", userId)) })
  }

/** The change of the password in an event. No value of it is written anywhere. */
export const passwordChange = { password: { from: null, to: null } }

/** The records that `setPassword` reads. */
export const findsOfPassword = (userId: UserId): ReadonlyArray<Find> => [findsUsers(userId), findsSessionsOf(userId)]

/** Sets the password and ends all sessions of the user. None without the user. */
export const setPassword =
  (userId: UserId, passwordHash: string) =>
  (origin: EventOrigin): Rule<User | null> =>
  (found) => {
    const user = found.byId(userKind, userId)
    if (user === null) return unchanged(null)
    const { after, writes } = withNextVersion(user, found.all(sessionKind, "userId", userId), { passwordHash })
    return changing(userOf(after), origin, writes, [userEvent("user.updated", after, after, passwordChange)])
  }

/** Replaces the hash of the same password. Does nothing when the password has changed since. */
export const rehashPassword =
  (userId: UserId, passwordVersion: number, passwordHash: string) =>
  (origin: EventOrigin): Rule<void> =>
  (found) => {
    const user = found.byId(userKind, userId)
    if (user?.record.passwordVersion !== passwordVersion) return unchanged(undefined)
    return changing(undefined, origin, [updating(userKind, user, changedUser(user.record, { passwordHash }))])
  }
