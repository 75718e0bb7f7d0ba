/**
 * Port for background work without a caller: pending documents to verify, files to delete, and documents near the
 * end of their validity. Used by the sweeper and the announcer of validity only.
 */
import { Context, type DateTime, type Duration, type Effect } from "effect"
import type { CalendarDate } from "../input/CalendarDate.ts"
import type { Page } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import type { Document } from "./Document.ts"
import type { EndingConditions, EndingDocument, EndingPageRequest } from "./EndingDocuments.ts"

/** A pending document and the expiry of its last address. */
export interface PendingDocument {
  readonly document: Document
  readonly addressExpiresAt: DateTime.Utc
}

/**
 * Parameters of a claim: at most `limit` items due at `now`. Claimed items are due again at
 * `dueAgainAt`, in case the claiming process dies.
 */
export interface Claim {
  readonly now: DateTime.Utc
  readonly dueAgainAt: DateTime.Utc
  readonly limit: number
}

/**
 * Safe for several instances: no item is in two claims at a time. Each claim belongs to one
 * organisation, so that the sweeper schedules the organisations.
 */
export class DocumentMaintenance extends Context.Service<
  DocumentMaintenance,
  {
    /**
     * At most `limit` organisations with a pending document or deleted file due at `now`; the
     * longest due first.
     */
    readonly findDue: (options: {
      readonly now: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /**
     * Claims pending documents, the longest due first. A document is first due when its address
     * expires.
     */
    readonly claimPending: (
      organisationId: OrganisationId,
      claim: Claim
    ) => Effect.Effect<ReadonlyArray<PendingDocument>, RepositoryError>

    /**
     * Claims unclaimed files that are listed for deletion: files of deleted documents and sites,
     * and files refused before `uploaded`. A file is due from its listing until `forgetDeleted`.
     */
    readonly claimDeleted: (
      organisationId: OrganisationId,
      claim: Claim
    ) => Effect.Effect<ReadonlyArray<StorageKey>, RepositoryError>

    /**
     * Removes files from the list after their deletion from storage under the claim that ends at
     * `claimedUntil`. Files not under this claim stay listed. An upload can run until
     * `uploadsEndAfter` after the last address expired: before that, the file stays listed and is
     * due at that time.
     */
    readonly forgetDeleted: (
      organisationId: OrganisationId,
      keys: ReadonlyArray<StorageKey>,
      options: {
        readonly now: DateTime.Utc
        readonly claimedUntil: DateTime.Utc
        readonly uploadsEndAfter: Duration.Duration
      }
    ) => Effect.Effect<void, RepositoryError>

    /**
     * At most `limit` organisations that have an ending document, in ascending order of id, after `after`. The
     * condition `until` is as many days after `today` as the greatest `expiringWithinDays` among the
     * requirements of the organisation, and at least `notice`. Work does not grow with the documents of an
     * organisation that end later or were announced.
     */
    readonly findEnding: (options: {
      readonly today: CalendarDate
      readonly notice: number
      readonly after: OrganisationId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /** A page of the ending documents, in ascending order of the last day, then of id. */
    readonly listEnding: (
      organisationId: OrganisationId,
      conditions: EndingConditions,
      page: EndingPageRequest
    ) => Effect.Effect<Page<EndingDocument>, RepositoryError>
  }
>()("@solar-sites/core/DocumentMaintenance") {}
