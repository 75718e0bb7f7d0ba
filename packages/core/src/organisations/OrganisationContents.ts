/**
 * Everything that belongs to an organisation, for its removal.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { OrganisationId } from "./Organisation.ts"

/**
 * How many records were removed.
 *
 * @category models
 * @since 0.1.0
 */
export interface RemovedContents {
  readonly documents: number
  readonly sites: number
  readonly portfolios: number
  readonly apiKeys: number
}

/**
 * @category services
 * @since 0.1.0
 */
export class OrganisationContents extends Context.Service<
  OrganisationContents,
  {
    /** Removes what belongs to the organisation, record by record; its stored files are listed for deletion. */
    readonly remove: (organisationId: OrganisationId) => Effect.Effect<RemovedContents, RepositoryError>
  }
>()("@solar-sites/core/OrganisationContents") {}
