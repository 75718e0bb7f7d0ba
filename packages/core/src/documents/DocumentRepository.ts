/**
 * Where documents are kept; their bytes are `DocumentStorage`'s. Implement this
 * port to bring your own database, then run `documentRepositoryConformance` from
 * `@solar-sites/testing` against it.
 *
 * @since 0.1.0
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Page, PageRequest } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { ExpectedVersions, VersionMismatch } from "../persistence/Version.ts"
import type { SiteId } from "../sites/Site.ts"
import type { SiteNotFound } from "../sites/SiteErrors.ts"
import type { ChangeOptions } from "../sites/SiteRepository.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import type { Document, DocumentConditions, DocumentId } from "./Document.ts"
import type { DocumentNotFound, FileNotDeleted, InvalidTransition, TooManyPending } from "./DocumentErrors.ts"
import type { DocumentStatus } from "./DocumentStatus.ts"

/**
 * A step forward. `sizeBytes` goes with `uploaded`: what storage really holds;
 * `failureReason` and `lapsedAt` go with `failed`. With `lapsedAt` nothing
 * arrived: the step is for an address that lapsed at that instant, and not for
 * one that was issued since. Without it the file is refused: it was rejected, or
 * contradicts its declaration. With `createdAt` the step is for the document that
 * was created at that instant, and not for one made again under the same id.
 *
 * @category models
 * @since 0.1.0
 */
export interface DocumentStep {
  readonly to: Exclude<DocumentStatus, "pending">
  readonly sizeBytes?: number
  readonly failureReason?: string
  readonly lapsedAt?: DateTime.Utc
  readonly createdAt?: DateTime.Utc
}

/**
 * Every method is one atomic step and looks only inside the given organisation.
 *
 * Files are deleted under a claim: until it ends, no other call can claim the
 * file, and no document can become pending at its path. `claimedUntil` names a
 * claim of the caller (docs/decisions/0016).
 *
 * @category services
 * @since 0.1.0
 */
export class DocumentRepository extends Context.Service<
  DocumentRepository,
  {
    /**
     * Stores new pending documents of one site, all or none, no id twice; their
     * first address lapses at `addressExpiresAt`. Where the organisation has a
     * document of one of the ids already, that one stays as it is. Answers what is
     * stored under the ids, in the order asked for. Refuses an absent site also
     * when there is nothing to store. A document that is stored while its site is
     * being deleted goes with it. Of the organisation at most
     * `maximumPendingDocuments` are pending, however many calls come at once.
     * A path that is listed for deletion takes no new document (`FileNotDeleted`,
     * nothing is stored), unless it is claimed until `claimedUntil`: then it is
     * listed no more.
     */
    readonly insertMany: (
      organisationId: OrganisationId,
      siteId: SiteId,
      documents: ReadonlyArray<Document>,
      addressExpiresAt: DateTime.Utc,
      claimedUntil?: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Document>, SiteNotFound | FileNotDeleted | TooManyPending | RepositoryError>

    readonly findById: (
      organisationId: OrganisationId,
      documentId: DocumentId
    ) => Effect.Effect<Option.Option<Document>, RepositoryError>

    /** Those of the ids that are documents of the organisation. */
    readonly findExisting: (
      organisationId: OrganisationId,
      documentIds: ReadonlyArray<DocumentId>
    ) => Effect.Effect<ReadonlySet<DocumentId>, RepositoryError>

    /** A page of the documents for which all conditions hold, in ascending order of id, which is oldest first. */
    readonly list: (
      organisationId: OrganisationId,
      conditions: DocumentConditions,
      page: PageRequest<DocumentId>
    ) => Effect.Effect<Page<Document>, RepositoryError>

    /**
     * Takes the step if the state machine allows it from the state the document
     * is in at that moment: of two concurrent steps that exclude each other one
     * is refused. A document that failed because nothing arrived takes `uploaded`
     * and the refusal of a file as a pending one does. A file that is refused
     * before it was uploaded is listed for deletion in the same moment. The step of a cover image to `uploaded` makes it, in the same
     * moment, its site's cover (`coverImageUrl` becomes its path); one that is
     * rejected is no cover any more. Either counts as a change of the site.
     * Refuses in the order of the error channel, but for `VersionMismatch`, which
     * comes before `InvalidTransition` and also answers another `lapsedAt` or
     * `createdAt`.
     */
    readonly step: (
      organisationId: OrganisationId,
      documentId: DocumentId,
      step: DocumentStep,
      options: ChangeOptions
    ) => Effect.Effect<Document, DocumentNotFound | InvalidTransition | VersionMismatch | RepositoryError>

    /**
     * Makes a failed document pending again, or leaves it pending: its new
     * address lapses at `addressExpiresAt`. Where its file was refused, that must
     * be claimed until `claimedUntil` (else `FileNotDeleted`), and is listed no
     * more afterwards. `failureReason` becomes null and
     * `sizeBytes` what was declared at first; after a rejection (`uploaded` to
     * `failed`) nothing is declared any more, since a corrected file has another
     * length. A failed one is refused when too many are pending, as by `insertMany`. Refuses in the
     * order of the error channel: a document that cannot be reopened keeps its file.
     */
    readonly reopen: (
      organisationId: OrganisationId,
      documentId: DocumentId,
      options: {
        readonly at: DateTime.Utc
        readonly addressExpiresAt: DateTime.Utc
        readonly claimedUntil?: DateTime.Utc | undefined
      }
    ) => Effect.Effect<
      Document,
      DocumentNotFound | InvalidTransition | TooManyPending | FileNotDeleted | RepositoryError
    >

    /**
     * Claims until `until` what lies at a path that is listed for deletion, or is
     * the path of a document whose file was refused, which is listed from then
     * on. False: nothing is to be deleted there. `FileNotDeleted`: another call,
     * or the sweeper, has claimed it.
     */
    readonly claimFile: (
      organisationId: OrganisationId,
      key: StorageKey,
      options: { readonly now: DateTime.Utc; readonly until: DateTime.Utc }
    ) => Effect.Effect<boolean, FileNotDeleted | RepositoryError>

    /**
     * Removes the document in any state; its file is listed for deletion in the
     * same step. If it was its site's cover, the site has none afterwards, which
     * counts as a change of the site.
     */
    readonly delete: (
      organisationId: OrganisationId,
      documentId: DocumentId,
      options: { readonly at: DateTime.Utc; readonly expectedVersions?: ExpectedVersions }
    ) => Effect.Effect<void, DocumentNotFound | VersionMismatch | RepositoryError>
  }
>()("@solar-sites/core/DocumentRepository") {}
