/**
 * Rules of users in the console (specification, section 13).
 */
import { isDeepStrictEqual } from "node:util"
import { Name } from "@solar-sites/core/model"
import { Schema } from "effect"
import { idOf, type Origin, ok, type Rule, refused } from "../Call.ts"
import { given } from "../Input.ts"
import { inOrder, type Organisation } from "../ModelState.ts"
import { type Role, roles, type User } from "../PeopleState.ts"
import { emitChange, type Kind, removed } from "../Records.ts"
import { isActive } from "./Codes.ts"
import { keyDeleted } from "./Keys.ts"
import { endInvitations, forManager, isAtMost, isManager, manages, roleInsufficient, userOf } from "./Roles.ts"
import { endSessions } from "./SessionEnds.ts"

export const userNotFound = refused(404, "user_not_found")
const lastOwner = refused(409, "last_owner")

export const passwordWrong = refused(403, "password_wrong")

const json = ({ createdAt, email, factor, id, lastLoginAt, name: called, role }: User): Record<string, unknown> => ({
  ...{ id, email, name: called, role, portfolioIds: null, createdAt, lastLoginAt },
  secondFactor: isActive(factor)
})

const userKind: Kind<User> = {
  type: "user",
  in: ({ users }) => users,
  json: (_, user) => json(user),
  nameOf: ({ name }) => name,
  members: ["email", "name", "role"]
}

/** Changes a user in place. Equal values change nothing. */
export const changeUser = (origin: Origin, user: User, values: Partial<Pick<User, "name" | "role">>): void => {
  const before = { ...user }
  Object.assign(user, values)
  if (!isDeepStrictEqual(before, user)) emitChange(origin, userKind, "updated", before, user)
}

export const isLastOwner = ({ users }: Organisation, { id, role }: User): boolean =>
  role === "owner" && ![...users.values()].some((other) => other.role === "owner" && other.id !== id)

const Change = Schema.Struct({ role: Schema.optionalKey(Schema.Literals(roles)), name: Schema.optionalKey(Name) })

const mayGive = (by: User, user: string, role: Role): boolean =>
  by.id === user ? isAtMost(role, by.role) : manages(by.role, role)

/** Made by an operator, or by the acceptance of an invitation. */
export const userCreated = (origin: Origin, user: User): void => {
  origin.organisation.users.set(user.id, user)
  emitChange(origin, userKind, "created", null, user)
}

export const userRules: Readonly<Record<string, Rule>> = {
  listUsers: ({ organisation }) => ok(200, { data: inOrder(organisation.users).map(json) }),
  updateUser: (turn) => {
    const by = userOf(turn)
    const id = idOf(turn)
    if (id === "") return userNotFound
    if (id !== by.id && !isManager(by)) return roleInsufficient
    return given(Change, turn.call, (values) => {
      const { role } = values
      if (role !== undefined && !mayGive(by, id, role)) return roleInsufficient
      const user = turn.organisation.users.get(id)
      if (user === undefined) return userNotFound
      if (by.id !== id && !manages(by.role, user.role)) return roleInsufficient
      if (role !== undefined && role !== "owner" && isLastOwner(turn.organisation, user)) return lastOwner
      changeUser(turn, user, values)
      endInvitations(turn, user.id, user.role)
      return ok(200, json(user))
    })
  },
  deleteUser: forManager((turn, by) => {
    const { organisation } = turn
    const user = organisation.users.get(idOf(turn))
    if (user === undefined) return userNotFound
    if (!manages(by.role, user.role)) return roleInsufficient
    if (isLastOwner(organisation, user)) return lastOwner
    organisation.userLinks = organisation.userLinks.filter(({ userId }) => userId !== user.id)
    endSessions(turn, user.id, "removed")
    removed(turn, userKind, user)
    for (const key of organisation.keys) if (key.createdBy === user.id && !key.deleted) keyDeleted(turn, key)
    endInvitations(turn, user.id, null)
    return ok(204)
  }),
  endSessionsOfUser: forManager((turn, by) => {
    const user = turn.organisation.users.get(idOf(turn))
    if (user === undefined) return userNotFound
    if (!manages(by.role, user.role)) return roleInsufficient
    endSessions(turn, user.id, "ended")
    return ok(204)
  })
}
