/**
 * Port for the storage of organisations. A host with its own organisations implements this port and
 * adds it with `HostOrganisations.layer`. Test the implementation with
 * `organisationRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect, type Option } from "effect"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { Page, PageRequest } from "../lists/Page.ts"
import type { Organisation, OrganisationId, UpdateOrganisation } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"

export class OrganisationRepository extends Context.Service<
  OrganisationRepository,
  {
    /** Stores a new organisation. Fails when its id exists. */
    readonly insert: (organisation: Organisation) => Effect.Effect<void, RepositoryError>

    readonly findById: (organisationId: OrganisationId) => Effect.Effect<Option.Option<Organisation>, RepositoryError>

    /**
     * All organisations in ascending order of id. For operators only: no request of a caller leads
     * here.
     */
    readonly list: (page: PageRequest<OrganisationId>) => Effect.Effect<Page<Organisation>, RepositoryError>

    /**
     * Sets the given members and returns the result; none when the organisation does not exist. `origin` is that of
     * the event. A host that keeps no events ignores it.
     */
    readonly update: (
      organisationId: OrganisationId,
      changes: Pick<UpdateOrganisation, "name" | "status">,
      origin: EventOrigin
    ) => Effect.Effect<Option.Option<Organisation>, RepositoryError>

    /**
     * Deletes the organisation. Returns false and changes nothing while it has a site, portfolio or
     * key. Returns true when it does not exist. Files listed for deletion stay listed.
     */
    readonly delete: (organisationId: OrganisationId) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/core/OrganisationRepository") {}
