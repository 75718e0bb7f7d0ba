/**
 * Port of stored records: `load` and `commit`. Adapters know kinds, keys and revisions, and no rule. Test an
 * implementation with `recordsConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { Found } from "./Found.ts"
import type { Change, Committed, Find, Stale } from "./RecordKind.ts"

/**
 * `operation` names the calling operation in errors and metrics, such as `SiteRepository.insert`.
 *
 * @category services
 * @since 0.1.0
 */
export class Records extends Context.Service<
  Records,
  {
    /**
     * The records that the finds name, in one snapshot that has every change that was acknowledged before
     * the call. A record of another organisation is absent.
     */
    readonly load: (
      operation: string,
      organisationId: OrganisationId,
      finds: ReadonlyArray<Find>
    ) => Effect.Effect<Found, RepositoryError>

    /**
     * Applies a change as a whole, with its events, or does nothing and answers `Stale`. Each written record
     * has the revision of `before`, or is absent; after the change unique values are unique and referenced
     * records exist, also among concurrent calls. `Stale` is never answered when something happened. After a
     * failure the change took effect as a whole or not at all.
     */
    readonly commit: (
      operation: string,
      organisationId: OrganisationId,
      change: Change
    ) => Effect.Effect<Committed | Stale, RepositoryError>
  }
>()("@solar-sites/core/Records") {}
