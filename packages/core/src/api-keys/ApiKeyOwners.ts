/**
 * Look-up of the users of the host who created API keys.
 */
import { Context, Effect } from "effect"
import type { ApiScope } from "../caller/ApiScope.ts"
import type { UserId } from "../caller/Caller.ts"
import type { PortfolioLimit } from "../caller/PortfolioLimit.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"

export interface ApiKeyOwnerLookUp {
  /**
   * The scopes that the user has now: keys that the user created have no others. Keys of a
   * `deleted` user are invalid. `userId` can be any text, also of a user that the host does not
   * know. Results are cached for at most ten seconds; publish an `AccessChange` of the organisation
   * after a change.
   */
  readonly scopesOf: (
    organisationId: OrganisationId,
    userId: UserId
  ) => Effect.Effect<ReadonlyArray<ApiScope> | "all" | "deleted", RepositoryError>

  /** The same for the portfolios that the user is limited to; null for a user without a limit. */
  readonly portfolioIdsOf: (
    organisationId: OrganisationId,
    userId: UserId
  ) => Effect.Effect<PortfolioLimit, RepositoryError>
}

/** Every user has all scopes and no limit unless the host provides its own look-up. */
export const ApiKeyOwners = Context.Reference<ApiKeyOwnerLookUp>("@solar-sites/core/ApiKeyOwners", {
  defaultValue: () => ({ scopesOf: () => Effect.succeed("all"), portfolioIdsOf: () => Effect.succeed(null) })
})
