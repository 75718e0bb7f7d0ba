/**
 * Removal of all records of an organisation.
 */
import { Context, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"

/** Numbers of removed records. */
export interface RemovedContents {
  readonly documents: number
  readonly sites: number
  readonly portfolios: number
  readonly apiKeys: number
}

export class OrganisationContents extends Context.Service<
  OrganisationContents,
  {
    /** Removes all records of the organisation one by one and lists its files for deletion. */
    readonly remove: (organisationId: OrganisationId) => Effect.Effect<RemovedContents, RepositoryError>

    /** Deletes the events of an organisation that is deleted. */
    readonly removeEvents: (organisationId: OrganisationId) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/core/OrganisationContents") {}
