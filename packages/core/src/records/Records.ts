/**
 * Port of stored records: `load`, `commit` and `list`. Adapters know kinds, keys and revisions, and no rule. Test an
 * implementation with `recordsConformance` of `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { Page, PageRequest } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { Found } from "./Found.ts"
import type { AnyKind, Change, Committed, Find, Stale } from "./RecordKind.ts"

/**
 * Further answers of a load beside records: `Found.isFull` for the bounds of a kind at an instant, and
 * `Found.lastSequence`.
 */
export interface LoadOptions {
  readonly bounds?: { readonly kind: AnyKind; readonly at: DateTime.Utc }
  readonly lastSequence?: true
  /**
   * The caller reads the records of these portfolios alone. `ReachedPorts` removes the others; an adapter may leave
   * them out, and count no other ones for a bound.
   */
  readonly within?: ReadonlyArray<PortfolioId>
}

/**
 * A page of a list. With `of`, those records that have this value of a member that refers to another record, such
 * as the deliveries of a webhook.
 */
export interface ListOptions {
  readonly of?: { readonly member: string; readonly value: string }
  readonly page: PageRequest<string>
}

/** `operation` names the calling operation in errors and metrics, such as `SiteRepository.insert`. */
export class Records extends Context.Service<
  Records,
  {
    /**
     * The records that the finds name, in one snapshot that has every change that was acknowledged before
     * the call. A record of another organisation is absent. A find of more than its `maximumBytes` fails the
     * load, before the caller holds much more than them.
     */
    readonly load: (
      operation: string,
      organisationId: OrganisationId,
      finds: ReadonlyArray<Find>,
      options?: LoadOptions
    ) => Effect.Effect<Found, RepositoryError>

    /**
     * Applies a change as a whole, with its events, or does nothing and answers `Stale`. Each record that
     * is written or read has the revision of before, or is absent; after the change unique values are
     * unique, referenced records exist and bounds hold, also among concurrent calls. `Stale` is never
     * answered when something happened. After a failure the change took effect as a whole or not at all.
     */
    readonly commit: (
      operation: string,
      organisationId: OrganisationId,
      change: Change
    ) => Effect.Effect<Committed | Stale, RepositoryError>

    /**
     * A page of the records of a kind with UUIDs as ids, in ascending order of id. Work does not grow with the
     * records that are on other pages.
     */
    readonly list: (
      operation: string,
      organisationId: OrganisationId,
      kind: AnyKind,
      options: ListOptions
    ) => Effect.Effect<Page<object>, RepositoryError>
  }
>()("@solar-sites/core/Records") {}
