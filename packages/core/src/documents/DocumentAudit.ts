/**
 * Finds orphans: stored files without a document, and documents without their file. It reports them
 * only, because after a restored backup either side can be the one to keep.
 */
import { Context, DateTime, Duration, Effect, Layer, Metric, Option, Schedule, Stream } from "effect"
import { maximumPageSize, type Page } from "../lists/Page.ts"
import { OrganisationRepository } from "../operators/OrganisationRepository.ts"
import type { Organisation, OrganisationId } from "../organisations/Organisation.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { DocumentStorage, type ListedObject } from "../storage/DocumentStorage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { StorageKey } from "../storage/StorageKey.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { type Document, DocumentId } from "./Document.ts"
import { documentRecords } from "./DocumentRecords.ts"
import { DocumentRepository } from "./DocumentRepository.ts"

const interval = Duration.days(1)
const maximumLogged = 20

// A younger file can belong to a running deletion or upload.
const minimumAge = Duration.hours(1)

export interface Orphans {
  readonly filesWithoutDocument: ReadonlyArray<StorageKey>
  readonly documentsWithoutFile: ReadonlyArray<StorageKey>
}

const orphans = Metric.gauge("solar_sites_orphans", {
  description: "Orphans found by the last audit: files without a document, documents without a file"
})

const pages = <Item, Position, E>(
  fetch: (after: Position | null) => Effect.Effect<Page<Item>, E>,
  positionOf: (item: Item) => Position
): Stream.Stream<ReadonlyArray<Item>, E> =>
  Stream.paginate(null as Position | null, (after) =>
    Effect.map(fetch(after), ({ hasMore, items }) => {
      const last = items.at(-1)
      return [[items], hasMore && last !== undefined ? Option.some(positionOf(last)) : Option.none()] as const
    })
  )

const documentIdOf = (key: StorageKey): DocumentId => DocumentId.make(key.split("/")[2] ?? "")

const shouldHaveFile = ({ status }: Document): boolean => status !== "pending" && status !== "failed"

export class DocumentAudit extends Context.Service<
  DocumentAudit,
  {
    /** Compares all stored files of the organisation with its documents. */
    readonly findOrphans: (organisationId: OrganisationId) => Effect.Effect<Orphans, RepositoryError | StorageError>
  }
>()("@solar-sites/core/DocumentAudit") {
  static readonly layer: Layer.Layer<DocumentAudit, never, Records | DocumentRepository | DocumentStorage> =
    Layer.effect(
      DocumentAudit,
      Effect.gen(function* () {
        const repository = yield* DocumentRepository
        const { findExisting } = yield* documentRecords
        const storage = yield* DocumentStorage
        const limit = maximumPageSize

        const findOrphans = fnWithSpan("DocumentAudit.findOrphans")(function* (organisationId: OrganisationId) {
          const oldBefore = DateTime.subtractDuration(yield* DateTime.now, minimumAge)
          const filesWithoutDocument: Array<StorageKey> = []
          const documentsWithoutFile: Array<StorageKey> = []
          const stored = new Set<StorageKey>()

          const objects = pages(
            (after: StorageKey | null) => storage.list(organisationId, { after, limit }),
            (object: ListedObject) => object.key
          )
          yield* Stream.runForEach(objects, (page) =>
            Effect.gen(function* () {
              for (const { key } of page) stored.add(key)
              const known = yield* findExisting(
                organisationId,
                page.map(({ key }) => documentIdOf(key))
              )
              for (const { key, modifiedAt } of page) {
                const isOld = DateTime.isLessThan(modifiedAt, oldBefore)
                if (isOld && !known.has(documentIdOf(key))) filesWithoutDocument.push(key)
              }
            })
          )

          const documents = pages(
            (after: DocumentId | null) => repository.list(organisationId, {}, { after, limit }),
            (document: Document) => document.id
          )
          yield* Stream.runForEach(documents, (page) => {
            const missing = page.filter((document) => shouldHaveFile(document) && !stored.has(document.path))
            // The file can have arrived after the files were listed.
            return Effect.forEach(missing, ({ path }) =>
              Effect.map(storage.inspect(organisationId, path), (object) => {
                if (Option.isNone(object)) documentsWithoutFile.push(path)
              })
            )
          })
          return { filesWithoutDocument, documentsWithoutFile }
        })

        return DocumentAudit.of({ findOrphans })
      })
    )

  /** Audits all organisations once a day and logs one line per organisation with orphans. */
  static readonly layerBackground: Layer.Layer<never, never, DocumentAudit | OrganisationRepository> =
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { findOrphans } = yield* DocumentAudit
        const organisations = yield* OrganisationRepository
        const all = pages(
          (after: OrganisationId | null) => organisations.list({ after, limit: maximumPageSize }),
          ({ id }: Organisation) => id
        )

        const auditOne = Effect.fnUntraced(function* ({ id }: Organisation) {
          const { documentsWithoutFile, filesWithoutDocument } = yield* findOrphans(id)
          const counts = { files: filesWithoutDocument.length, documents: documentsWithoutFile.length }
          if (counts.files + counts.documents > 0) {
            yield* Effect.logWarning("orphaned files or documents found").pipe(
              Effect.annotateLogs({
                organisationId: id,
                filesWithoutDocument: { count: counts.files, first: filesWithoutDocument.slice(0, maximumLogged) },
                documentsWithoutFile: { count: counts.documents, first: documentsWithoutFile.slice(0, maximumLogged) }
              })
            )
          }
          return counts
        })

        const auditAll = Effect.gen(function* () {
          let [files, documents] = [0, 0]
          yield* Stream.runForEach(all, (page) =>
            Effect.forEach(page, (organisation) =>
              Effect.map(auditOne(organisation), (counts) => {
                files += counts.files
                documents += counts.documents
              })
            )
          )
          yield* Metric.update(Metric.withAttributes(orphans, { kind: "file" }), files)
          yield* Metric.update(Metric.withAttributes(orphans, { kind: "document" }), documents)
        }).pipe(Effect.catchCause((cause) => Effect.logWarning("audit of stored files failed", cause)))

        yield* auditAll.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
      })
    )
}
