/**
 * Changes and deletions of users by other users and by the operator. An organisation with users keeps an owner, also
 * under concurrent changes.
 */
import { AccessChanges, type OrganisationId, type Records, type RepositoryError, type UserId } from "@solar-sites/core"
import { Context, Effect, Layer } from "effect"
import { makeCommands } from "../Commands.ts"
import { factorKind } from "../second-factor/FactorKind.ts"
import { findsOfSwitch, resetFactor, type SecondFactorState } from "../second-factor/FactorRules.ts"
import type { LimitRefusal } from "./Authority.ts"
import type { Manager } from "./Managers.ts"
import type { RoleInsufficient } from "./Role.ts"
import type { LastOwner, User, UserNotFound } from "./User.ts"
import { onUser } from "./UserKind.ts"
import {
  changeUser,
  deleteUser,
  endRemainingInvitations,
  findsOfChange,
  findsOfDeletion,
  findsOfRemaining,
  type UserChange
} from "./UserRules.ts"

export type UserRefusal = UserNotFound | LastOwner | RoleInsufficient | RepositoryError

/**
 * Sessions of the user have the new role and limit from the next request on. Its API keys have them at once on
 * this instance, within a second on others while the message bus is up.
 */
export class UserChanges extends Context.Service<
  UserChanges,
  {
    /**
     * Users may lower their own role, and change their own name and digest. All else needs a manager: an owner,
     * or an admin if neither the old nor the new role is owner; to a limited one, users that reach more are absent.
     * Invitations of the user end if it may no longer give their role or limit.
     */
    readonly update: (
      organisationId: OrganisationId,
      userId: UserId,
      change: UserChange,
      by: Manager
    ) => Effect.Effect<User, UserRefusal | LimitRefusal>

    /**
     * Deletes the user's sessions, API keys and open invitations too. Keys that are created meanwhile are invalid.
     * The operator may delete the only user of an organisation.
     */
    readonly delete: (organisationId: OrganisationId, userId: UserId, by: Manager) => Effect.Effect<User, UserRefusal>

    /**
     * Removes the second factor of a user who has lost the phone and the recovery codes, and ends all its sessions. The
     * own factor is not reset but switched off, which needs password and code.
     */
    readonly resetSecondFactor: (
      organisationId: OrganisationId,
      userId: UserId,
      by: Manager
    ) => Effect.Effect<User, UserNotFound | RoleInsufficient | SecondFactorState | RepositoryError>
  }
>()("@solar-sites/reference-server/UserChanges") {
  static readonly layer: Layer.Layer<UserChanges, never, Records | AccessChanges> = Layer.effect(
    UserChanges,
    Effect.gen(function* () {
      const { decide } = yield* makeCommands
      const accessChanges = yield* AccessChanges

      const endRemaining = (organisationId: OrganisationId, userId: UserId) =>
        decide({
          ...onUser("UserChanges.endRemaining", organisationId, userId),
          finds: findsOfRemaining(userId),
          rule: endRemainingInvitations(userId)
        })

      const update: UserChanges["Service"]["update"] = Effect.fn("UserChanges.update")(function* (
        organisationId,
        userId,
        change,
        by
      ) {
        const { isAccessChanged, user } = yield* decide({
          ...onUser("UserChanges.update", organisationId, userId),
          finds: findsOfChange(userId, change, by),
          rule: changeUser(userId, change, by)
        })
        if (!isAccessChanged) return user
        yield* endRemaining(organisationId, userId)
        yield* accessChanges.publish({ organisationId })
        return user
      }, Effect.uninterruptible)

      const remove: UserChanges["Service"]["delete"] = Effect.fn("UserChanges.delete")(function* (
        organisationId,
        userId,
        by
      ) {
        const user = yield* decide({
          ...onUser("UserChanges.delete", organisationId, userId),
          finds: findsOfDeletion(organisationId, userId, by),
          rule: deleteUser(organisationId, userId, by)
        })
        yield* endRemaining(organisationId, userId)
        yield* accessChanges.publish({ organisationId })
        return user
      }, Effect.uninterruptible)

      const resetSecondFactor: UserChanges["Service"]["resetSecondFactor"] = Effect.fn("UserChanges.resetSecondFactor")(
        (organisationId, userId, by) =>
          decide({
            operation: "UserChanges.resetSecondFactor",
            organisationId,
            of: { kind: factorKind, id: userId },
            finds: findsOfSwitch(userId),
            rule: resetFactor(userId, by)
          })
      )

      return UserChanges.of({ update, delete: remove, resetSecondFactor })
    })
  )
}
