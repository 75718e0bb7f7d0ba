/** Users: look-ups, and their administration by the operator. */
import type { PgClient } from "@solar-sites/adapter-postgres"
import {
  AccessChanges,
  IdGenerator,
  type OrganisationId,
  type OrganisationNotFound,
  type PortfolioLimit,
  type PortfoliosNotFound,
  type Records,
  type RepositoryError,
  UserId
} from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option, Struct } from "effect"
import { find, makeCommands } from "../Commands.ts"
import type { Password, PasswordRefused } from "../login/Password.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { resetFactor, type SecondFactorState } from "../second-factor/FactorRules.ts"
import { isSeenBy, type Manager, operator } from "./Authority.ts"
import type { Role } from "./Role.ts"
import { type EmailTaken, type LastOwner, type OwnerLimited, User, UserNotFound } from "./User.ts"
import { newUser, userKind, userOf } from "./UserKind.ts"
import { type Credentials, userLookUps } from "./UserLookUps.ts"
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

  const publish = (organisationId: OrganisationId, userId: UserId) =>
    Effect.andThen(decide(endRemainingInvitations(organisationId, userId)), accessChanges.publish({ organisationId }))

  const update = Effect.fn("UserChanges.update")(
    (organisationId: OrganisationId, userId: UserId, change: UserChange, by: Manager) =>
      Effect.tap(decide(changeUser(organisationId, userId, change, by)), ({ isAccessChanged }) =>
        isAccessChanged ? publish(organisationId, userId) : Effect.void
      ),
    Effect.map(({ user }) => user),
    Effect.uninterruptible
  )

  return {
    /** Changes what needs no manager, and nothing else that the change holds. */
    updateOwn: (organisationId: OrganisationId, userId: UserId, change: Pick<UserChange, "name" | "digest">) =>
      Effect.catchTags(update(organisationId, userId, Struct.pick(change, ["name", "digest"]), operator), {
        CallerLimited: Effect.die,
        LastOwner: Effect.die,
        OwnerLimited: Effect.die,
        PortfoliosNotFound: Effect.die,
        RoleInsufficient: Effect.die
      }),

    /**
     * Users may lower their own role, and change their own name and digest. All else needs a manager: an owner,
     * or an admin if neither the old nor the new role is owner; to a limited one, users that reach more are absent.
     */
    update,

    /** Keys that are created meanwhile are invalid. */
    delete: Effect.fn("UserChanges.delete")(
      (organisationId: OrganisationId, userId: UserId, by: Manager) =>
        Effect.tap(decide(deleteUser(organisationId, userId, by)), () => publish(organisationId, userId)),
      Effect.uninterruptible
    )
  }
})

/** The default role is `owner`. */
export interface CreateUser {
  readonly organisationId: OrganisationId
  readonly email: string
  readonly name: string
  readonly password: Password
  readonly role?: Role
  readonly portfolioIds?: PortfolioLimit
}

type LimitFault = PortfoliosNotFound | OwnerLimited

export class Users extends Context.Service<
  Users,
  {
    /** The first user of an organisation must be an owner. */
    readonly create: (
      input: CreateUser
    ) => Effect.Effect<
      User,
      EmailTaken | LastOwner | OrganisationNotFound | PasswordRefused | LimitFault | RepositoryError
    >

    readonly findByLogin: (email: string) => Effect.Effect<Option.Option<Credentials>, RepositoryError>

    /** The organisation of a user. For operators only, who know just the id of the user. */
    readonly findOwner: (userId: UserId) => Effect.Effect<Option.Option<OrganisationId>, RepositoryError>

    /** The users that are there for `viewer`, oldest first; empty for an unknown organisation. */
    readonly list: (
      organisationId: OrganisationId,
      viewer?: Manager
    ) => Effect.Effect<ReadonlyArray<User>, RepositoryError>

    /** Succeeds with the deleted user. Its sessions and API keys end. */
    readonly delete: (userId: UserId) => Effect.Effect<User, UserNotFound | LastOwner | RepositoryError>

    /** Role and limit hold from the next request of the user on. */
    readonly update: (
      userId: UserId,
      change: UserChange
    ) => Effect.Effect<User, UserNotFound | LastOwner | LimitFault | RepositoryError>

    /** Ends all sessions of the user. A login that was verified with the old password opens none. */
    readonly setPassword: (
      userId: UserId,
      password: Password
    ) => Effect.Effect<User, UserNotFound | PasswordRefused | RepositoryError>

    /** Ends all sessions of the user. */
    readonly resetSecondFactor: (
      userId: UserId
    ) => Effect.Effect<User, UserNotFound | SecondFactorState | RepositoryError>
  }
>()("@solar-sites/reference-server/Users") {
  static readonly layer: Layer.Layer<Users, never, PgClient | Records | AccessChanges | PasswordHasher> = Layer.effect(
    Users,
    Effect.gen(function* () {
      const { decide, load } = yield* makeCommands
      const { findByLogin, findOwner } = yield* userLookUps
      const changes = yield* userChanges
      const hasher = yield* PasswordHasher
      const nextId = yield* IdGenerator

      /** Runs a change in the organisation of the user. The operator knows users by id alone, and has every role. */
      const asOperator = Effect.fnUntraced(function* <E>(
        userId: UserId,
        change: (organisationId: OrganisationId) => Effect.Effect<User | null, E>
      ) {
        const owner = yield* findOwner(userId)
        const user = Option.isSome(owner) ? yield* change(owner.value) : null
        return user ?? (yield* new UserNotFound({ userId }))
      })

      return Users.of({
        findByLogin,
        findOwner,
        list: Effect.fn("Users.list")(function* (organisationId: OrganisationId, viewer: Manager = operator) {
          const found = yield* load("Users.list", organisationId, [find(userKind, "organisationId", organisationId)])
          const all = found.all(userKind, "organisationId", organisationId).map(({ record }) => userOf(record))
          return all.filter((user) => user.id === viewer.id || isSeenBy(viewer, user))
        }),
        create: Effect.fn("Users.create")(function* ({ password, portfolioIds = null, role = "owner", ...input }) {
          const id = UserId.make(yield* nextId)
          const user = new User({ ...input, id, role, portfolioIds, createdAt: yield* DateTime.now })
          const record = newUser(user, yield* hasher.hashNew(password, [user.name, user.email]))
          yield* Effect.catchTag(decide(createUser(record)), "CallerLimited", Effect.die)
          return user
        }),
        delete: (userId) =>
          asOperator(userId, (owner) =>
            Effect.catchTag(changes.delete(owner, userId, operator), "RoleInsufficient", Effect.die)
          ),
        update: (userId, change) =>
          asOperator(userId, (owner) =>
            Effect.catchTags(changes.update(owner, userId, change, operator), {
              RoleInsufficient: Effect.die,
              CallerLimited: Effect.die
            })
          ),
        setPassword: Effect.fn("Users.setPassword")(function* (userId, password) {
          const hash = yield* hasher.hashNew(password, [])
          return yield* asOperator(userId, (owner) => decide(setPassword(owner, userId, hash)))
        }),
        resetSecondFactor: (userId) =>
          asOperator(userId, (owner) =>
            Effect.catchTag(decide(resetFactor(owner, userId, operator)), "RoleInsufficient", Effect.die)
          )
      })
    })
  )
}
