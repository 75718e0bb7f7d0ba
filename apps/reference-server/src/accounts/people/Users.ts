/** Users: their changes by other users, and their administration by the operator. */
import { AccessChanges, IdGenerator, type OrganisationId, type PortfolioLimit, UserId } from "@solar-sites/core"
import { DateTime, Effect, Struct } from "effect"
import { find, makeCommands } from "../Commands.ts"
import type { Password } from "../login/Password.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { resetFactor } from "../second-factor/FactorRules.ts"
import { isSeenBy, type Manager, operatorOf } from "./Authority.ts"
import type { Role } from "./Role.ts"
import { User, type UserIds, UserNotFound } from "./User.ts"
import { newUser, userKind, userOf } from "./UserKind.ts"
import { userLookUps } from "./UserLookUps.ts"
import {
  changeUser,
  createUser,
  deleteUser,
  endRemainingInvitations,
  setPassword,
  type UserChange
} from "./UserRules.ts"

/**
 * Changes and deletions of users by other users and by the operator. An organisation with users keeps an owner, also
 * under concurrent changes. Sessions of the user have its new role and limit from the next request on. Its API keys
 * have them at once on this instance, within a second on others while the message bus is up.
 */
export const userChanges = Effect.gen(function* () {
  const { decide } = yield* makeCommands
  const accessChanges = yield* AccessChanges

  const publish = ({ id, organisationId }: UserIds) =>
    Effect.andThen(decide(endRemainingInvitations({ id, organisationId })), accessChanges.publish({ organisationId }))

  const update = Effect.fn("UserChanges.update")(
    (userId: UserId, change: UserChange, by: Manager) =>
      Effect.tap(decide(changeUser(userId, change, by)), ({ isAccessChanged, user }) =>
        isAccessChanged ? publish(user) : Effect.void
      ),
    Effect.map(({ user }) => user),
    Effect.uninterruptible
  )

  return {
    /** Changes what needs no manager, and nothing else that the change holds. */
    updateOwn: ({ id, organisationId }: UserIds, change: Pick<UserChange, "name" | "digest">) =>
      Effect.catchTag(
        update(id, Struct.pick(change, ["name", "digest"]), operatorOf(organisationId)),
        ["CallerLimited", "LastOwner", "OwnerLimited", "PortfoliosNotFound", "RoleInsufficient"],
        Effect.die
      ),

    /**
     * Users may lower their own role, and change their own name and digest. All else needs a manager: an owner,
     * or an admin if neither the old nor the new role is owner; to a limited one, users that reach more are absent.
     */
    update,

    /** Keys that are created meanwhile are invalid. */
    delete: Effect.fn("UserChanges.delete")(
      (userId: UserId, by: Manager) => Effect.tap(decide(deleteUser(userId, by)), publish),
      Effect.uninterruptible
    )
  }
})

/** The users that are there for `viewer`, oldest first; empty for an unknown organisation. */
export const listUsers = Effect.map(makeCommands, ({ load }) =>
  Effect.fn("Users.list")(function* (viewer: Manager) {
    const { id, organisationId } = viewer
    const found = yield* load("Users.list", organisationId, [find(userKind, "organisationId", organisationId)])
    const all = found.all(userKind, "organisationId", organisationId).map(({ record }) => userOf(record))
    return all.filter((user) => user.id === id || isSeenBy(viewer, user))
  })
)

/** The default role is `owner`. */
export interface CreateUser {
  readonly organisationId: OrganisationId
  readonly email: string
  readonly name: string
  readonly password: Password
  readonly role?: Role
  readonly portfolioIds?: PortfolioLimit
}

/** Administration by the operator, who knows users by id alone and has every role. */
export const userAdministration = Effect.gen(function* () {
  const { decide } = yield* makeCommands
  const { findOwner } = yield* userLookUps
  const changes = yield* userChanges
  const hasher = yield* PasswordHasher
  const nextId = yield* IdGenerator

  /** Runs a change in the organisation of the user. */
  const asOperator = Effect.fnUntraced(function* <E>(
    userId: UserId,
    change: (by: Manager) => Effect.Effect<User | null, E>
  ) {
    const owner = yield* findOwner({ userId })
    const user = owner === null ? null : yield* change(operatorOf(owner))
    return user ?? (yield* new UserNotFound({ userId }))
  })

  return {
    /** The first user of an organisation must be an owner. */
    create: Effect.fn("Users.create")(function* ({
      password,
      portfolioIds = null,
      role = "owner",
      ...input
    }: CreateUser) {
      const id = UserId.make(yield* nextId)
      const user = new User({ ...input, id, role, portfolioIds, createdAt: yield* DateTime.now })
      const record = newUser(user, yield* hasher.hashNew(password, [user.name, user.email]))
      yield* Effect.catchTag(decide(createUser(record)), "CallerLimited", Effect.die)
      return user
    }),

    /** Succeeds with the deleted user. Its sessions and API keys end. */
    delete: (userId: UserId) =>
      asOperator(userId, (by) => Effect.catchTag(changes.delete(userId, by), "RoleInsufficient", Effect.die)),

    /** Role and limit hold from the next request of the user on. */
    update: (userId: UserId, change: UserChange) =>
      asOperator(userId, (by) =>
        Effect.catchTag(changes.update(userId, change, by), ["RoleInsufficient", "CallerLimited"], Effect.die)
      ),

    /** Ends all sessions of the user. A login that was verified with the old password opens none. */
    setPassword: Effect.fn("Users.setPassword")(function* (userId: UserId, password: Password) {
      const hash = yield* hasher.hashNew(password, [])
      return yield* asOperator(userId, ({ organisationId }) =>
        decide(setPassword({ id: userId, organisationId }, hash))
      )
    }),

    /** Ends all sessions of the user. */
    resetSecondFactor: (userId: UserId) =>
      asOperator(userId, (by) => Effect.catchTag(decide(resetFactor(userId, by)), "RoleInsufficient", Effect.die))
  }
})
