/** Users: look-ups, and their administration by the operator. */
import type { PgClient } from "@solar-sites/adapter-postgres"
import {
  IdGenerator,
  type OrganisationId,
  type OrganisationNotFound,
  type PortfolioLimit,
  type PortfoliosNotFound,
  type Records,
  type RepositoryError,
  UserId
} from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import type { Password, PasswordRefused } from "../login/Password.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { factorKind } from "../second-factor/FactorKind.ts"
import type { SecondFactorState } from "../second-factor/FactorRules.ts"
import { isSeenBy } from "./Authority.ts"
import type { Manager } from "./Managers.ts"
import type { Role, RoleInsufficient } from "./Role.ts"
import { type EmailTaken, type LastOwner, type OwnerLimited, User, UserNotFound } from "./User.ts"
import { UserChanges } from "./UserChanges.ts"
import { findsUsers, newUser, onUser, userKind, userOf } from "./UserKind.ts"
import { type Credentials, userLookUps } from "./UserLookUps.ts"
import {
  createUser,
  findsOfCreation,
  findsOfPassword,
  rehashPassword,
  setPassword,
  type UserChange
} from "./UserRules.ts"

/** The default role is `owner`. */
export interface CreateUser {
  readonly organisationId: OrganisationId
  readonly email: string
  readonly name: string
  readonly password: Password
  readonly role?: Role
  readonly portfolioIds?: PortfolioLimit
}

/** The operator has every role. */
const allowed = <E>(change: Effect.Effect<User, E | RoleInsufficient>) =>
  Effect.catchTag(change, "RoleInsufficient", Effect.die)

export class Users extends Context.Service<
  Users,
  {
    /** The first user of an organisation must be an owner. */
    readonly create: (
      input: CreateUser
    ) => Effect.Effect<
      User,
      | EmailTaken
      | LastOwner
      | OrganisationNotFound
      | PasswordRefused
      | PortfoliosNotFound
      | OwnerLimited
      | RepositoryError
    >

    readonly findByLogin: (email: string) => Effect.Effect<Option.Option<Credentials>, RepositoryError>

    /** The organisation of a user. For operators only, who know just the id of the user. */
    readonly findOwner: (userId: UserId) => Effect.Effect<Option.Option<OrganisationId>, RepositoryError>

    /** The users that are there for `viewer`, oldest first; empty for an unknown organisation. */
    readonly list: (
      organisationId: OrganisationId,
      viewer?: Manager
    ) => Effect.Effect<ReadonlyArray<User>, RepositoryError>

    /** Last logins in milliseconds. A user without a login among the kept events is absent. */
    readonly lastLogins: (
      organisationId: OrganisationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyMap<string, number>, RepositoryError>

    /** The users with an active second factor. */
    readonly withFactor: (organisationId: OrganisationId) => Effect.Effect<ReadonlySet<UserId>, RepositoryError>

    /** Succeeds with the deleted user. Its sessions and API keys end. */
    readonly delete: (userId: UserId) => Effect.Effect<User, UserNotFound | LastOwner | RepositoryError>

    readonly setRole: (
      userId: UserId,
      role: Role
    ) => Effect.Effect<User, UserNotFound | LastOwner | OwnerLimited | RepositoryError>

    /** Null is no limit. It holds from the next request of the user on. */
    readonly setPortfolios: (
      userId: UserId,
      portfolioIds: PortfolioLimit
    ) => Effect.Effect<User, UserNotFound | PortfoliosNotFound | OwnerLimited | RepositoryError>

    /** Ends all sessions of the user. A login that was verified with the old password opens none. */
    readonly setPassword: (
      userId: UserId,
      password: Password
    ) => Effect.Effect<User, UserNotFound | PasswordRefused | RepositoryError>

    /** Replaces the hash of the same password; does nothing if the password has changed since. */
    readonly rehash: (credentials: Credentials, passwordHash: string) => Effect.Effect<void, RepositoryError>

    /** Ends all sessions of the user. */
    readonly resetSecondFactor: (
      userId: UserId
    ) => Effect.Effect<User, UserNotFound | SecondFactorState | RepositoryError>
  }
>()("@solar-sites/reference-server/Users") {
  static readonly layer: Layer.Layer<Users, never, PgClient | Records | UserChanges | PasswordHasher> = Layer.effect(
    Users,
    Effect.gen(function* () {
      const { decide, load } = yield* makeCommands
      const { findByLogin, findOwner, lastLogins } = yield* userLookUps
      const changes = yield* UserChanges
      const hasher = yield* PasswordHasher
      const nextId = yield* IdGenerator

      /** Runs a change in the organisation of the user. The operator knows users by id alone. */
      const asOperator = Effect.fnUntraced(function* <E>(
        userId: UserId,
        change: (organisationId: OrganisationId) => Effect.Effect<User | null, E>
      ) {
        const owner = yield* findOwner(userId)
        const user = Option.isSome(owner) ? yield* change(owner.value) : null
        return user ?? (yield* new UserNotFound({ userId }))
      })

      const changing = (owner: OrganisationId, userId: UserId, change: UserChange) =>
        Effect.catchTags(changes.update(owner, userId, change, "operator"), {
          RoleInsufficient: Effect.die,
          CallerLimited: Effect.die
        })

      const create = Effect.fn("Users.create")(function* ({
        password,
        portfolioIds = null,
        role = "owner",
        ...input
      }: CreateUser) {
        const id = UserId.make(yield* nextId)
        const user = new User({ ...input, id, role, portfolioIds, createdAt: yield* DateTime.now })
        const record = newUser(user, yield* hasher.hashNew(password, [user.name, user.email]))
        const command = { ...onUser("Users.create", user.organisationId, id), finds: findsOfCreation(record) }
        yield* Effect.catchTag(decide({ ...command, rule: createUser(record) }), "CallerLimited", Effect.die)
        return user
      })

      const list = Effect.fn("Users.list")(function* (organisationId: OrganisationId, viewer: Manager = "operator") {
        const finds = [{ kind: userKind, by: "organisationId", values: [organisationId] }]
        const found = yield* load("Users.list", organisationId, finds)
        const all = found.all(userKind, "organisationId", organisationId).map(({ record }) => userOf(record))
        return viewer === "operator" ? all : all.filter((user) => user.id === viewer.id || isSeenBy(viewer, user))
      })

      const withFactor = Effect.fn("Users.withFactor")(function* (organisationId: OrganisationId) {
        const finds = [{ kind: factorKind, by: "organisationId", values: [organisationId] }]
        const found = yield* load("Users.withFactor", organisationId, finds)
        const all = found.all(factorKind, "organisationId", organisationId)
        return new Set(all.flatMap(({ record: { enabledAt, id } }) => (enabledAt === null ? [] : [id])))
      })

      return Users.of({
        findByLogin,
        findOwner,
        list,
        lastLogins,
        withFactor,
        create,
        delete: (userId) => asOperator(userId, (owner) => allowed(changes.delete(owner, userId, "operator"))),
        setRole: (userId, role) =>
          asOperator(userId, (owner) =>
            Effect.catchTag(changing(owner, userId, { role }), "PortfoliosNotFound", Effect.die)
          ),
        setPortfolios: (userId, portfolioIds) =>
          asOperator(userId, (owner) =>
            Effect.catchTag(changing(owner, userId, { portfolioIds }), "LastOwner", Effect.die)
          ),
        setPassword: Effect.fn("Users.setPassword")(function* (userId, password) {
          const rule = setPassword(userId, yield* hasher.hashNew(password, []))
          const finds = findsOfPassword(userId)
          return yield* asOperator(userId, (owner) =>
            decide({ ...onUser("Users.setPassword", owner, userId), finds, rule })
          )
        }),
        rehash: ({ passwordVersion, user: { id, organisationId } }, passwordHash) => {
          const rule = rehashPassword(id, passwordVersion, passwordHash)
          return decide({ ...onUser("Users.rehash", organisationId, id), finds: [findsUsers(id)], rule })
        },
        resetSecondFactor: (userId) =>
          asOperator(userId, (owner) => allowed(changes.resetSecondFactor(owner, userId, "operator")))
      })
    })
  )
}
