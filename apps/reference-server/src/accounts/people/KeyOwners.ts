/** What API keys may do that users of the console created: at most what the user may do now. */
import { ApiKeyOwners, type OrganisationId, type Records, type UserId } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { find, makeCommands } from "../Commands.ts"
import { scopesOf } from "./Role.ts"
import { parseAccountId } from "./User.ts"
import { deletedUserKind, userKind } from "./UserKind.ts"

/** Other ids, which `api-keys create --user` accepts, are users of other systems: no limit. */
export const layer: Layer.Layer<never, never, Records> = Layer.effect(
  ApiKeyOwners,
  Effect.gen(function* () {
    const { load } = yield* makeCommands

    /** The user, or whether it was deleted. Both are null and false of a user of another system. */
    const owner = Effect.fnUntraced(function* (organisationId: OrganisationId, userId: UserId) {
      const id = Option.getOrNull(parseAccountId(userId))
      if (id === null) return { user: null, isDeleted: false }
      const finds = [find(userKind, "id", id), find(deletedUserKind, "id", id)]
      const found = yield* load("KeyOwners.find", organisationId, finds)
      return { user: found.byId(userKind, id)?.record ?? null, isDeleted: found.byId(deletedUserKind, id) !== null }
    })

    return {
      scopesOf: (organisationId, userId) =>
        Effect.map(owner(organisationId, userId), ({ isDeleted, user }) =>
          user === null ? (isDeleted ? "deleted" : "all") : scopesOf(user.role)
        ),
      portfolioIdsOf: (organisationId, userId) =>
        Effect.map(owner(organisationId, userId), ({ user }) => user?.portfolioIds ?? null)
    }
  })
)
