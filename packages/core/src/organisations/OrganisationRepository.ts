/**
 * Where organisations are kept. A host with organisations of its own implements
 * this port over them and puts it in front of the adapters with
 * `HostOrganisations.layer`; `organisationRepositoryConformance` from
 * `@solar-sites/testing` says whether it does so rightly.
 *
 * @since 0.1.0
 */
import { Context, type Effect, type Option } from "effect"
import type { Page, PageRequest } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { Organisation, OrganisationId, UpdateOrganisation } from "./Organisation.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class OrganisationRepository extends Context.Service<
  OrganisationRepository,
  {
    /** Stores a new organisation. */
    readonly insert: (organisation: Organisation) => Effect.Effect<void, RepositoryError>

    readonly findById: (organisationId: OrganisationId) => Effect.Effect<Option.Option<Organisation>, RepositoryError>

    /** Every organisation there is, by id. For the operator alone: no caller's request ever leads here. */
    readonly list: (page: PageRequest<OrganisationId>) => Effect.Effect<Page<Organisation>, RepositoryError>

    /** Sets the members that are given and answers the result; none if there is no such organisation. */
    readonly update: (
      organisationId: OrganisationId,
      changes: Pick<UpdateOrganisation, "name" | "status">
    ) => Effect.Effect<Option.Option<Organisation>, RepositoryError>

    /**
     * Removes the organisation; false, and nothing changes, while a site, a
     * portfolio or a key belongs to it. True also when there is no such
     * organisation. Files that are listed for deletion stay listed.
     */
    readonly delete: (organisationId: OrganisationId) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/core/OrganisationRepository") {}
