/**
 * Settles in the background what no caller settles: pending documents whose
 * address has lapsed, and the files of what was deleted. May run in every
 * instance at once.
 *
 * @since 0.1.0
 */
import { Context, DateTime, Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import { DocumentStorage } from "../storage/DocumentStorage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { parseStorageKey, type StorageKey } from "../storage/StorageKey.ts"
import { traced } from "../tracing/Traced.ts"
import { look, settle } from "./Arrivals.ts"
import { DocumentMaintenance, type PendingDocument } from "./DocumentMaintenance.ts"
import { DocumentRepository } from "./DocumentRepository.ts"
import { UploadPolicy } from "./UploadPolicy.ts"

const interval = Duration.seconds(10)
const lookAgainAfter = Duration.seconds(30)
const limit = 200
const concurrency = 8

/**
 * What one run did. `unsettled` could not be looked at and will be again.
 *
 * @category models
 * @since 0.1.0
 */
export interface SweepResult {
  readonly uploaded: number
  readonly failed: number
  readonly waiting: number
  readonly unsettled: number
  readonly filesDeleted: number
}

const sweptDocuments = Metric.counter("solar_sites_swept_documents", {
  description: "Pending documents that the sweeper looked at, by outcome"
})
const deletedFiles = Metric.counter("solar_sites_deleted_files", {
  description: "Stored files that the sweeper deleted"
})

/**
 * @category services
 * @since 0.1.0
 */
export class DocumentSweeper extends Context.Service<
  DocumentSweeper,
  {
    /** One bounded run: at most 200 documents and 200 files. */
    readonly sweep: Effect.Effect<SweepResult, RepositoryError>
  }
>()("@solar-sites/core/DocumentSweeper") {
  static readonly layer: Layer.Layer<
    DocumentSweeper,
    never,
    DocumentMaintenance | DocumentRepository | DocumentStorage
  > = Layer.effect(
    DocumentSweeper,
    Effect.gen(function* () {
      const maintenance = yield* DocumentMaintenance
      const repository = yield* DocumentRepository
      const storage = yield* DocumentStorage
      const policy = yield* UploadPolicy

      // Not when the address was issued anew since the document was claimed.
      const giveUp = Effect.fnUntraced(function* ({ addressExpiresAt, document }: PendingDocument, at: DateTime.Utc) {
        const failureReason = "nothing arrived before the upload address lapsed"
        const step = { to: "failed", failureReason, lapsedAt: addressExpiresAt } as const
        return yield* repository.step(document.organisationId, document.id, step, { at }).pipe(Effect.option)
      })

      const settleOne = Effect.fnUntraced(function* (pending: PendingDocument, now: DateTime.Utc) {
        const arrival = yield* look(storage, policy, pending.document)
        const graceEndsAt = DateTime.addDuration(pending.addressExpiresAt, policy.grace)
        if (arrival._tag === "Absent" && DateTime.isGreaterThanOrEqualTo(now, graceEndsAt)) {
          return Option.isSome(yield* giveUp(pending, now)) ? "failed" : "waiting"
        }
        const settled = yield* settle(repository, storage, pending.document, arrival)
        const status = Option.map(settled, (document) => document.status)
        if (Option.contains(status, "pending")) return "waiting"
        return Option.contains(status, "failed") ? "failed" : "uploaded"
      })

      const settlePending = Effect.fnUntraced(function* (now: DateTime.Utc) {
        const again = DateTime.addDuration(now, lookAgainAfter)
        const pending = yield* maintenance.claimPending({ now, again, limit })
        const outcomes = yield* Effect.forEach(
          pending,
          (one) =>
            settleOne(one, now).pipe(
              Effect.catch(() => Effect.succeed("unsettled" as const)),
              Effect.tap((outcome) => Metric.update(Metric.withAttributes(sweptDocuments, { outcome }), 1))
            ),
          { concurrency }
        )
        return (outcome: (typeof outcomes)[number]) => outcomes.filter((one) => one === outcome).length
      })

      const deleteOf = Effect.fnUntraced(function* (
        keys: ReadonlyArray<StorageKey>,
        now: DateTime.Utc
      ): Effect.fn.Return<number, StorageError | RepositoryError> {
        const [first] = keys
        const parts = first === undefined ? Option.none() : parseStorageKey(first)
        if (Option.isNone(parts)) return 0
        yield* storage.delete(parts.value.organisationId, keys)
        yield* maintenance.forgetDeleted(keys, { now, uploadsEndAfter: policy.grace })
        yield* Metric.update(deletedFiles, keys.length)
        return keys.length
      })

      const deleteFiles = Effect.fnUntraced(function* (now: DateTime.Utc) {
        const again = DateTime.addDuration(now, lookAgainAfter)
        const keys = yield* maintenance.claimDeleted({ now, again, limit })
        const byOrganisation = Map.groupBy(keys, (key) => key.split("/")[0])
        const deleted = yield* Effect.forEach(byOrganisation.values(), (some) =>
          Effect.catchTag(deleteOf(some, now), "StorageError", () => Effect.succeed(0))
        )
        return deleted.reduce((sum, count) => sum + count, 0)
      })

      const sweep = traced("DocumentSweeper.sweep")(function* () {
        const now = yield* DateTime.now
        const count = yield* settlePending(now)
        const filesDeleted = yield* deleteFiles(now)
        return {
          uploaded: count("uploaded"),
          failed: count("failed"),
          waiting: count("waiting"),
          unsettled: count("unsettled"),
          filesDeleted
        }
      })()

      return DocumentSweeper.of({ sweep })
    })
  )

  /** Sweeps every ten seconds until the layer is closed; one log line per run that had something to do. */
  static readonly layerBackground: Layer.Layer<never, never, DocumentSweeper> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = yield* DocumentSweeper
      const run = sweep.pipe(
        Effect.tap((result) =>
          Object.values(result).some((count) => count > 0)
            ? Effect.logInfo("swept documents").pipe(Effect.annotateLogs({ ...result }))
            : Effect.void
        ),
        Effect.catchCause((cause) => Effect.logWarning("the sweeper could not run", cause))
      )
      yield* run.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
    })
  )
}
