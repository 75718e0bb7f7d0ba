/**
 * Commands about stored documents. Each is one atomic step within the given organisation, decided by rules over
 * `Records`.
 */
import type { DateTime, Effect, Option } from "effect"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { SiteId } from "../sites/Site.ts"
import type { SiteNotFound } from "../sites/SiteErrors.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import type { ChangeOptions, ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import type { Document, DocumentId } from "./Document.ts"
import type { DocumentNotFound, FileNotDeleted, InvalidTransition, TooManyPending } from "./DocumentErrors.ts"
import type { ChangeDocumentStatus, DocumentChanges } from "./DocumentMetadata.ts"
import type { DocumentStatus } from "./DocumentStatus.ts"

/**
 * A status change.
 *
 * - `sizeBytes` belongs to `uploaded`: the size of the stored file.
 * - `failureReason` and `lapsedAt` belong to `failed`. With `lapsedAt` no file arrived, and the
 *   step applies only to a pending document, while the address that expired at that instant is the
 *   last one. Without it the file is refused: it was rejected or does not match its declaration.
 * - `changes` sets metadata in the same step.
 * - With `createdAt` the step applies only to the document created at that instant, not to a later
 *   one with the same id.
 */
export interface DocumentStep {
  readonly to: Exclude<DocumentStatus, "pending">
  readonly sizeBytes?: number
  readonly failureReason?: string
  readonly lapsedAt?: DateTime.Utc
  readonly changes?: DocumentChanges
  readonly createdAt?: DateTime.Utc
}

/**
 * Claims of a caller: the files that it has claimed until `until`. The instant alone does not identify
 * a claim: callers that begin in the same millisecond claim until the same instant.
 */
export interface FileClaims {
  readonly keys: ReadonlyArray<StorageKey>
  readonly until: DateTime.Utc
}

/**
 * The events of a command are part of its step: one per changed document, and `site.updated` when the cover of
 * the site changes.
 *
 * Files are deleted under a claim: until it ends, no other call can claim the file, and no document
 * at its path can become pending (docs/decisions/0015).
 */
export interface DocumentCommands {
  /**
   * Stores new pending documents of one site: all or none, without duplicate ids. Their first
   * address expires at `addressExpiresAt`, or when the last one of a deleted document with the
   * same path expires. A document with an existing id stays unchanged.
   * Returns the stored documents in request order. An absent site is refused also when
   * `documents` is empty. A document stored during the deletion of its site is deleted with it.
   * At most `maximumPendingDocuments` of an organisation are pending, also with concurrent calls.
   * A path that is listed for deletion is refused (`FileNotDeleted`), unless it is one of `claims`:
   * then it leaves the list. A `replaces` that is no stored document of the organisation is stored
   * as null.
   */
  readonly insertMany: (
    organisationId: OrganisationId,
    siteId: SiteId,
    documents: ReadonlyArray<Document>,
    addressExpiresAt: DateTime.Utc,
    claims?: FileClaims
  ) => Effect.Effect<ReadonlyArray<Document>, SiteNotFound | FileNotDeleted | TooManyPending | RepositoryError>

  readonly findById: (
    organisationId: OrganisationId,
    documentId: DocumentId
  ) => Effect.Effect<Option.Option<Document>, RepositoryError>

  /** The ids among these that belong to documents of the organisation. */
  readonly findExisting: (
    organisationId: OrganisationId,
    documentIds: ReadonlyArray<DocumentId>
  ) => Effect.Effect<ReadonlySet<DocumentId>, RepositoryError>

  /**
   * Sets metadata in any status and increments the version; changes nothing when all values are
   * equal. Refuses in the order of the error channel.
   */
  readonly update: (
    organisationId: OrganisationId,
    documentId: DocumentId,
    changes: DocumentChanges,
    options: ChangeOptions
  ) => Effect.Effect<Document, DocumentNotFound | VersionMismatch | RepositoryError>

  /**
   * Changes metadata and status as a caller requests it: `approved`, `completed`, or `failed` (rejected). Equal
   * values change nothing. Refuses in the order of the error channel.
   */
  readonly review: (
    organisationId: OrganisationId,
    documentId: DocumentId,
    requested: ChangeDocumentStatus,
    options: ChangeOptions
  ) => Effect.Effect<
    Document,
    DocumentNotFound | VersionMismatch | ValidationFailed | InvalidTransition | RepositoryError
  >

  /**
   * Changes the status when the state machine allows it from the current status: one of two
   * conflicting concurrent steps is refused. A document that failed because no file arrived
   * accepts `uploaded` and a refusal of its file, like a pending one.
   *
   * A document with `replaces` that becomes `uploaded` becomes the `replacedBy` of that document,
   * unless it has another one: then it becomes `failed` with the reason `already_replaced`, its
   * file is refused, and metadata stays. A rejected document (`uploaded` to `failed`) leaves its
   * chain as a deleted one does, but keeps its `replaces`.
   *
   * In the same step: a file refused before `uploaded` is listed for deletion; a cover image that
   * becomes `uploaded` becomes the cover of its site (`coverImageUrl` is its path); a rejected
   * cover image is removed from its site. A change of the cover is a change of the site.
   *
   * Refuses in the order of the error channel, but `VersionMismatch` comes before
   * `InvalidTransition`. A different `lapsedAt` or `createdAt` is a `VersionMismatch`.
   */
  readonly step: (
    organisationId: OrganisationId,
    documentId: DocumentId,
    step: DocumentStep,
    options: ChangeOptions
  ) => Effect.Effect<Document, DocumentNotFound | InvalidTransition | VersionMismatch | RepositoryError>

  /**
   * Makes a failed document pending again, or keeps it pending, with a new address that expires
   * at `addressExpiresAt`; of concurrent calls the last expiry counts. A refused file must be
   * claimed until `claimedUntil` (otherwise `FileNotDeleted`) and leaves the list.
   * `failureReason` becomes null, `sizeBytes` the first declared size; after a rejection
   * (`uploaded` to `failed`) it becomes null, since a corrected file has another size. A failed
   * document is refused while too many are pending, as by `insertMany`. Refuses in the order of
   * the error channel: a document that cannot be reopened keeps its file. With `isRepetition` the
   * event of the address was written before: a pending document gets a new expiry and no event,
   * any other one is an `InvalidTransition`.
   */
  readonly reopen: (
    organisationId: OrganisationId,
    documentId: DocumentId,
    options: {
      readonly at: DateTime.Utc
      readonly addressExpiresAt: DateTime.Utc
      readonly claimedUntil?: DateTime.Utc | undefined
      readonly isRepetition?: boolean
    }
  ) => Effect.Effect<Document, DocumentNotFound | InvalidTransition | TooManyPending | FileNotDeleted | RepositoryError>

  /**
   * Claims a file until `until`. The path is listed for deletion, or belongs to a document with a
   * refused file, and is then listed. Returns false when there is nothing to delete.
   * `FileNotDeleted`: another call or the sweeper holds a claim.
   */
  readonly claimFile: (
    organisationId: OrganisationId,
    key: StorageKey,
    options: { readonly now: DateTime.Utc; readonly until: DateTime.Utc }
  ) => Effect.Effect<boolean, FileNotDeleted | RepositoryError>

  /**
   * Deletes the document in any status and lists its file for deletion. When it was the cover of
   * its site, the site loses its cover, which is a change of the site.
   *
   * It leaves its chain in the same step. Documents with it as `replaces`, also pending and failed
   * ones, get its `replaces` instead. The predecessor gets its `replacedBy`, or becomes current
   * again. A change of these members is a change of the documents.
   */
  readonly delete: (
    organisationId: OrganisationId,
    documentId: DocumentId,
    options: { readonly at: DateTime.Utc; readonly expectedVersions?: ExpectedVersions }
  ) => Effect.Effect<void, DocumentNotFound | VersionMismatch | RepositoryError>
}
