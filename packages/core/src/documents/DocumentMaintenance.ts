/**
 * The work that belongs to no caller: which pending documents are due for a
 * look, and which stored files are to go. A port of its own, for the sweeper
 * alone.
 *
 * @since 0.1.0
 */
import { Context, type DateTime, type Duration, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import type { Document } from "./Document.ts"

/**
 * A pending document and when its last address lapsed or will lapse.
 *
 * @category models
 * @since 0.1.0
 */
export interface PendingDocument {
  readonly document: Document
  readonly addressExpiresAt: DateTime.Utc
}

/**
 * What is claimed: at most `limit` that are due `now`. They are due again at
 * `again`, should this be the last that is heard of them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Claim {
  readonly now: DateTime.Utc
  readonly dueAgainAt: DateTime.Utc
  readonly limit: number
}

/**
 * Several instances may claim at once: nothing is claimed twice at a time. Every
 * claim is of one organisation, so that the sweeper decides how organisations
 * take turns.
 *
 * @category services
 * @since 0.1.0
 */
export class DocumentMaintenance extends Context.Service<
  DocumentMaintenance,
  {
    /**
     * The organisations with a pending document or a deleted file that is due
     * `now`, at most `limit` of them: first the one with what is due longest.
     */
    readonly findDue: (options: {
      readonly now: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /** Claims pending documents, what is due longest first. One is first due when its address lapses. */
    readonly claimPending: (
      organisationId: OrganisationId,
      claim: Claim
    ) => Effect.Effect<ReadonlyArray<PendingDocument>, RepositoryError>

    /**
     * Claims files that are listed for deletion and not claimed: of deleted
     * documents, of deleted sites too, and those that were refused before they
     * were uploaded. One is due as soon as it is listed, until it is forgotten.
     */
    readonly claimDeleted: (
      organisationId: OrganisationId,
      claim: Claim
    ) => Effect.Effect<ReadonlyArray<StorageKey>, RepositoryError>

    /**
     * Forgets files that were deleted from storage under the claim that ends at
     * `claimedUntil`; those that are not under it (any more) stay as they are. An
     * upload may still be under way until `uploadsEndAfter` has passed since the
     * last address lapsed: such a file is not forgotten but due once more at that
     * time.
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
  }
>()("@solar-sites/core/DocumentMaintenance") {}
