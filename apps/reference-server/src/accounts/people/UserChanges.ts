/**
 * Changes and deletions of users by other users and by the operator. An organisation with users keeps an owner, also
 * under concurrent changes. Sessions of the user have its new role and limit from the next request on. Its API keys
 * have them at once on this instance, within a second on others while the message bus is up.
 */
import { AccessChanges, type OrganisationId, type UserId } from "@solar-sites/core"
import { Effect } from "effect"
import { makeCommands } from "../Commands.ts"
import { type Manager, operator } from "./Authority.ts"
import { changeUser, deleteUser, endRemainingInvitations, type UserChange } from "./UserRules.ts"

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
    /** Changes what needs no manager. */
    updateOwn: (organisationId: OrganisationId, userId: UserId, change: Pick<UserChange, "name" | "digest">) =>
      Effect.catchTags(update(organisationId, userId, change, operator), {
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
