/** Commands on users, with their rules as pure functions. */
import {
  apiKeyEvent,
  apiKeyKind,
  CallerLimited,
  changesBetween,
  type Found,
  makeUnchecked,
  OrganisationNotFound,
  organisationReference,
  type PortfolioLimit,
  type UserId
} from "@solar-sites/core"
import { type DateTime, Result } from "effect"
import type { DigestChoice } from "../../digest/DigestChoice.ts"
import { type Command, changing, find, ids, on, removing, storing, unchanged } from "../Commands.ts"
import { endedInvitations } from "../invitations/InvitationEvents.ts"
import { linkKind } from "../login/LinkKind.ts"
import { findsOfPassword, withNextVersion } from "../sessions/SessionRules.ts"
import {
  changeable,
  checkLimit,
  findsManaged,
  findsPortfolios,
  insufficient,
  type LimitRefusal,
  limitOf,
  type Manager,
  mayGive,
  mayLimit,
  otherOwners
} from "./Authority.ts"
import type { Role, RoleInsufficient } from "./Role.ts"
import { EmailTaken, LastOwner, OwnerLimited, type User, type UserIds, type UserNotFound } from "./User.ts"
import {
  changedUser,
  DeletedUserRecord,
  deletedUserKind,
  passwordChange,
  type UserRecord,
  userEvent,
  userKind,
  userOf
} from "./UserKind.ts"

export interface UserChange {
  readonly role?: Role
  readonly name?: string
  readonly digest?: DigestChoice
  readonly portfolioIds?: PortfolioLimit
}

/** Stores a new user. The first one of an organisation must be an owner. */
export const createUser = (
  user: UserRecord
): Command<void, EmailTaken | LastOwner | OrganisationNotFound | LimitRefusal> => {
  const { email, id, organisationId, portfolioIds, role } = user
  return {
    ...on(userKind, id, "Users.create", organisationId),
    finds: [
      find(organisationReference, "id", organisationId),
      ...findsPortfolios(portfolioIds),
      find(userKind, "id", id),
      find(userKind, "role", "owner")
    ],
    rule: (found) =>
      Result.gen(function* () {
        if (found.byId(organisationReference, organisationId) === null) {
          return yield* Result.fail(new OrganisationNotFound({ organisationId }))
        }
        yield* checkLimit(found, user, null)
        const owners = otherOwners(found, id)
        if (role !== "owner" && owners.first === undefined) return yield* Result.fail(new LastOwner())
        if (found.isTaken(userKind, "login")) return yield* Result.fail(new EmailTaken({ email }))
        const mayChange = role === "owner" ? owners.all : owners.mayChange
        const events = [userEvent("user.created", null, user)]
        return yield* changing(undefined, [storing(userKind, null, user)], events, mayChange)
      })
  }
}

/** Fails when the manager may not make this change of any user, before the user is looked up. */
const checkChange = (
  found: Found,
  userId: UserId,
  { portfolioIds, role }: UserChange,
  by: Manager
): Result.Result<void, CallerLimited | RoleInsufficient> => {
  if (role !== undefined && !mayGive(by, userId, role)) return Result.fail(insufficient(by, role))
  if (portfolioIds !== undefined && !mayLimit(by)) return Result.fail(insufficient(by))
  return portfolioIds === null && limitOf(found, by) !== null ? Result.fail(new CallerLimited()) : Result.void
}

const changedBy = (user: UserRecord, change: UserChange, at: DateTime.Utc): UserRecord => {
  const { digest, name, portfolioIds, role } = { ...user, ...change }
  return changedUser(user, {
    ...{ digest, name, portfolioIds, role },
    ...(digest === user.digest ? {} : { digestSince: at })
  })
}

/** Fails when the change gives another limit than it may, or makes a limited user owner. */
const checkNewLimit = (found: Found, after: UserRecord, { portfolioIds }: UserChange, by: Manager) => {
  if (portfolioIds !== undefined) return checkLimit(found, after, limitOf(found, by))
  return after.role === "owner" && after.portfolioIds !== null ? Result.fail(new OwnerLimited()) : Result.void
}

/**
 * Changes role, name, digest and limit. An organisation keeps an owner. Invitations of the user end when it may no
 * longer give their role or their limit. `isAccessChanged`: the role or the limit is another one.
 */
export const changeUser = (
  userId: UserId,
  change: UserChange,
  by: Manager
): Command<
  { readonly user: User; readonly isAccessChanged: boolean },
  UserNotFound | LastOwner | RoleInsufficient | LimitRefusal
> => ({
  ...on(userKind, userId, "UserChanges.update", by.organisationId),
  finds: [...findsManaged(userId, by), ...findsPortfolios(change.portfolioIds)],
  rule: (found, at) =>
    Result.gen(function* () {
      yield* checkChange(found, userId, change, by)
      const before = yield* changeable(found, userId, by, true)
      const after = changedBy(before.record, change, at)
      yield* checkNewLimit(found, after, change, by)
      const owners = otherOwners(found, userId)
      const isDemoted = before.record.role === "owner" && after.role !== "owner"
      if (isDemoted && owners.first === undefined) return yield* Result.fail(new LastOwner())
      const event = userEvent("user.updated", before.record, after, changesBetween(["digest"], before.record, after))
      const isAccessChanged = "role" in event.changes || "portfolioIds" in event.changes
      const answer = { user: userOf(after), isAccessChanged }
      const isSame = Object.keys(event.changes).length === 0
      const ended = endedInvitations(found, userId, after, at)
      if (isSame && ended.writes.length === 0) return { answer, change: null }
      const witnesses = (isDemoted ? owners.mayChange : owners.all).filter((id) => id !== by.id)
      return yield* changing(
        answer,
        [storing(userKind, before, after), ...ended.writes],
        [...(isSame ? [] : [event]), ...ended.events],
        [...witnesses, ...ids(found.all(linkKind, "createdBy", userId))]
      )
    })
})

/**
 * Deletes a user, its API keys and its open invitations. Its sessions, links and second factor go with it. The operator
 * may delete the only user of an organisation.
 */
export const deleteUser = (
  userId: UserId,
  by: Manager
): Command<User, UserNotFound | LastOwner | RoleInsufficient> => ({
  ...on(userKind, userId, "UserChanges.delete", by.organisationId),
  finds: [
    ...findsManaged(userId, by),
    find(apiKeyKind, "organisationId", by.organisationId),
    ...(by.id === null ? [find(userKind, "organisationId", by.organisationId)] : [])
  ],
  rule: (found, at) =>
    Result.flatMap(changeable(found, userId, by, false), (before) => {
      const { record } = before
      const { organisationId } = record
      const owners = otherOwners(found, userId)
      const members = found.all(userKind, "organisationId", organisationId)
      const isOnly = by.id === null && members.length === 1
      const needsOwner = record.role === "owner" && !isOnly
      if (needsOwner && owners.first === undefined) return Result.fail(new LastOwner())
      const all = found.all(apiKeyKind, "organisationId", organisationId)
      // Keys can name their creator in any letter case.
      const keys = all.filter(({ record: { createdBy } }) => createdBy?.toLowerCase() === userId)
      const ended = endedInvitations(found, userId, null, at)
      const deletedAt = at
      const tombstone = makeUnchecked(DeletedUserRecord, { id: userId, organisationId, deletedAt })
      const depends = new Set([by.id, needsOwner ? owners.first?.record.id : null])
      const read = [...owners.all, ...ids(members), ...ids(all), ...ids(found.all(linkKind, "createdBy", userId))]
      return changing(
        userOf(record),
        [
          removing(userKind, before),
          storing(deletedUserKind, null, tombstone),
          ...ended.writes,
          ...keys.map((key) => removing(apiKeyKind, key))
        ],
        [
          userEvent("user.deleted", record, null),
          ...keys.map((key) => apiKeyEvent("api_key.deleted", key.record, null)),
          ...ended.events
        ],
        read.filter((id) => !depends.has(id as UserId))
      )
    })
})

/**
 * Ends open invitations that the user made while its role or limit changed or while it was deleted. None follows:
 * each needs what the user has when it is stored.
 */
export const endRemainingInvitations = ({ id: userId, organisationId }: UserIds): Command<void> => ({
  ...on(userKind, userId, "UserChanges.endRemaining", organisationId),
  finds: [find(userKind, "id", userId), find(linkKind, "createdBy", userId)],
  rule: (found, at) => {
    const inviter = found.byId(userKind, userId)?.record ?? null
    const { events, writes } = endedInvitations(found, userId, inviter, at)
    if (writes.length === 0) return unchanged(undefined)
    return changing(undefined, writes, events, ids(found.all(linkKind, "createdBy", userId)))
  }
})

/** Sets the password and ends all sessions of the user. None without the user. */
export const setPassword = ({ id: userId, organisationId }: UserIds, passwordHash: string): Command<User | null> => ({
  ...on(userKind, userId, "Users.setPassword", organisationId),
  finds: findsOfPassword(userId),
  rule: (found) => {
    const user = found.byId(userKind, userId)
    if (user === null) return unchanged(null)
    const { after, writes } = withNextVersion(found, user, { passwordHash })
    return changing(userOf(after), writes, [userEvent("user.updated", after, after, passwordChange)])
  }
})

/** Replaces the hash of the same password. Does nothing when the password has changed since. */
export const rehashPassword = (
  { id, organisationId }: UserIds,
  passwordVersion: number,
  passwordHash: string
): Command<void> => ({
  ...on(userKind, id, "Users.rehash", organisationId),
  finds: [find(userKind, "id", id)],
  rule: (found) => {
    const user = found.byId(userKind, id)
    if (user?.record.passwordVersion !== passwordVersion) return unchanged(undefined)
    return changing(undefined, [storing(userKind, user, changedUser(user.record, { passwordHash }))])
  }
})
