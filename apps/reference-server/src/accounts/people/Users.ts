/** Administration of users by the operator. */
import {
  IdGenerator,
  type OrganisationId,
  type OrganisationNotFound,
  type RepositoryError,
  UserId
} from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Password, PasswordRefused } from "../login/Password.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { SecondFactorReset } from "../second-factor/SecondFactorReset.ts"
import type { SecondFactorState } from "../second-factor/SecondFactors.ts"
import type { Role } from "./Role.ts"
import { type EmailTaken, type LastOwner, User, UserNotFound } from "./User.ts"
import { UserChanges, type UserRefusal } from "./UserChanges.ts"
import { UserStore } from "./UserStore.ts"

/** The default role is `owner`. */
export interface CreateUser {
  readonly organisationId: OrganisationId
  readonly email: string
  readonly name: string
  readonly password: Password
  readonly role?: Role
}

export class Users extends Context.Service<
  Users,
  {
    /** The first user of an organisation must be an owner. */
    readonly create: (
      input: CreateUser
    ) => Effect.Effect<User, EmailTaken | LastOwner | OrganisationNotFound | PasswordRefused | RepositoryError>

    /** Oldest first; empty for an unknown organisation. */
    readonly list: (organisationId: OrganisationId) => Effect.Effect<ReadonlyArray<User>, RepositoryError>

    /** Succeeds with the deleted user. Its sessions and API keys end. */
    readonly delete: (userId: UserId) => Effect.Effect<User, UserNotFound | LastOwner | RepositoryError>

    readonly setRole: (userId: UserId, role: Role) => Effect.Effect<User, UserNotFound | LastOwner | RepositoryError>

    /** Ends all sessions of the user. */
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
  static readonly layer: Layer.Layer<Users, never, UserStore | UserChanges | SecondFactorReset | PasswordHasher> =
    Layer.effect(
      Users,
      Effect.gen(function* () {
        const store = yield* UserStore
        const changes = yield* UserChanges
        const hasher = yield* PasswordHasher
        const factors = yield* SecondFactorReset
        const nextId = yield* IdGenerator

        const found = (userId: UserId) =>
          Effect.flatMap((user: Option.Option<User>) =>
            Option.isSome(user) ? Effect.succeed(user.value) : Effect.fail(new UserNotFound({ userId }))
          )

        /** The operator knows users by id alone, and has every role. */
        const ownerOf = (userId: UserId) =>
          Effect.flatMap(
            store.findOwner(userId),
            Option.match({ onNone: () => Effect.fail(new UserNotFound({ userId })), onSome: Effect.succeed })
          )
        const asOperator = (
          userId: UserId,
          change: (organisationId: OrganisationId) => Effect.Effect<User, UserRefusal>
        ) => Effect.flatMap(ownerOf(userId), change).pipe(Effect.catchTag("RoleInsufficient", Effect.die))

        const resetSecondFactor = Effect.fn("Users.resetSecondFactor")(
          function* (userId: UserId) {
            return yield* factors.reset(yield* ownerOf(userId), userId, "operator")
          },
          Effect.catchTag("RoleInsufficient", Effect.die)
        )

        const create = Effect.fn("Users.create")(function* ({ password, role = "owner", ...input }: CreateUser) {
          const id = UserId.make(yield* nextId)
          const user = new User({ ...input, id, role, createdAt: yield* DateTime.now })
          yield* store.insert(user, yield* hasher.hashNew(password, [user.name, user.email]))
          return user
        })

        const setPassword = Effect.fn("Users.setPassword")(function* (userId: UserId, password: Password) {
          return yield* found(userId)(store.setPassword(userId, yield* hasher.hashNew(password, [])))
        })

        return Users.of({
          create,
          list: store.list,
          delete: (userId) => asOperator(userId, (owner) => changes.delete(owner, userId, "operator")),
          setRole: (userId, role) => asOperator(userId, (owner) => changes.update(owner, userId, { role }, "operator")),
          setPassword,
          resetSecondFactor
        })
      })
    )
}
