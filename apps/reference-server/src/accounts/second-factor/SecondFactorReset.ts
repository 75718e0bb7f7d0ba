/** Removal of the second factor of another user, who has lost the phone and the recovery codes. */
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { managedBy, mayManage, Role, RoleInsufficient } from "../people/Role.ts"
import { type User, UserNotFound } from "../people/User.ts"
import type { Manager } from "../people/UserRules.ts"
import { SecondFactorStore } from "./SecondFactorStore.ts"
import { SecondFactorState } from "./SecondFactors.ts"

export class SecondFactorReset extends Context.Service<
  SecondFactorReset,
  {
    /**
     * Ends all sessions of the user. The own factor is not reset but switched off, which needs
     * password and code.
     */
    readonly reset: (
      organisationId: OrganisationId,
      userId: UserId,
      by: Manager
    ) => Effect.Effect<User, UserNotFound | RoleInsufficient | SecondFactorState | RepositoryError>
  }
>()("@solar-sites/reference-server/SecondFactorReset") {
  static readonly layer: Layer.Layer<SecondFactorReset, never, SecondFactorStore> = Layer.effect(
    SecondFactorReset,
    Effect.map(SecondFactorStore, (store) =>
      SecondFactorReset.of({
        reset: Effect.fn("SecondFactorReset.reset")(function* (organisationId, userId, by) {
          const owner = { id: userId, organisationId }
          const found = yield* store.find(owner)
          if (Option.isNone(found)) return yield* new UserNotFound({ userId })
          if (by !== "operator" && !mayManage(by.role, found.value.role)) {
            return yield* new RoleInsufficient({ needed: found.value.role === "owner" ? "owner" : "admin" })
          }
          // The role of the user may have changed since.
          const roles = by === "operator" ? Role.literals : managedBy(by.role)
          const user = yield* store.disable(owner, { keptSession: null, roles })
          return Option.isSome(user) ? user.value : yield* new SecondFactorState({ isEnabled: false })
        })
      })
    )
  )
}
