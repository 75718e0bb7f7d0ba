/**
 * Background job: verifies pending documents with expired addresses, and deletes files of deleted
 * documents. Safe to run in several instances.
 */
import { Context, DateTime, Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { DocumentStorage } from "../storage/DocumentStorage.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { DocumentMaintenance, type PendingDocument } from "./DocumentMaintenance.ts"
import { documentRecords } from "./DocumentRecords.ts"
import { claimLife, deleteClaimed } from "./FileDeletion.ts"
import { UploadPolicy } from "./UploadPolicy.ts"
import { resolve } from "./UploadVerification.ts"

const interval = Duration.seconds(10)
const retryAfter = Duration.seconds(30)

// Work per turn. An organisation with a backlog waits for all others between two turns.
const organisationsPerTurn = 200
const documentsPerTurn = 50
const filesPerTurn = 200
const organisationsAtOnce = 4
const documentsAtOnce = 8

/**
 * Result of one turn. `unsettled` documents could not be verified and are retried. `more` is true
 * when work remains.
 */
export interface SweepResult {
  readonly uploaded: number
  readonly failed: number
  readonly waiting: number
  readonly unsettled: number
  readonly filesDeleted: number
  readonly more: boolean
}

const sweptDocuments = Metric.counter("solar_sites_swept_documents", {
  description: "Pending documents verified by the sweeper, by outcome"
})
const deletedFiles = Metric.counter("solar_sites_deleted_files", {
  description: "Stored files deleted by the sweeper"
})

const nothing: SweepResult = { uploaded: 0, failed: 0, waiting: 0, unsettled: 0, filesDeleted: 0, more: false }
const noFiles = { filesDeleted: 0, more: false }

const add = (a: SweepResult, b: SweepResult): SweepResult => ({
  uploaded: a.uploaded + b.uploaded,
  failed: a.failed + b.failed,
  waiting: a.waiting + b.waiting,
  unsettled: a.unsettled + b.unsettled,
  filesDeleted: a.filesDeleted + b.filesDeleted,
  more: a.more || b.more
})

export class DocumentSweeper extends Context.Service<
  DocumentSweeper,
  {
    /** Runs one turn per organisation with due work: at most 50 documents and 200 files. */
    readonly sweep: Effect.Effect<SweepResult, RepositoryError>
  }
>()("@solar-sites/core/DocumentSweeper") {
  static readonly layer: Layer.Layer<DocumentSweeper, never, DocumentMaintenance | Records | DocumentStorage> =
    Layer.effect(
      DocumentSweeper,
      Effect.gen(function* () {
        const maintenance = yield* DocumentMaintenance
        const commands = yield* documentRecords
        const storage = yield* DocumentStorage
        const policy = yield* UploadPolicy
        const ports = { commands, storage, policy }

        // No effect when a new address was issued since the claim.
        const expire = Effect.fnUntraced(function* ({ addressExpiresAt, document }: PendingDocument, at: DateTime.Utc) {
          const failureReason = "nothing arrived before the upload address lapsed"
          const step = { to: "failed", failureReason, lapsedAt: addressExpiresAt } as const
          const expired = yield* commands.step(document.organisationId, document.id, step, { at }).pipe(Effect.option)
          if (Option.isNone(expired)) return "waiting"
          // The file can have arrived, unreported, between inspection and step.
          const { document: last } = yield* resolve(ports, expired.value)
          return Option.exists(last, ({ status }) => status === "uploaded") ? "uploaded" : "failed"
        })

        const verifyOne = Effect.fnUntraced(function* (pending: PendingDocument, now: DateTime.Utc) {
          const { organisationId, path } = pending.document
          const { inspection, document } = yield* resolve(ports, pending.document)
          const graceEndsAt = DateTime.addDuration(pending.addressExpiresAt, policy.grace)
          if (inspection._tag === "Absent" && DateTime.isGreaterThanOrEqualTo(now, graceEndsAt)) {
            const uploading = yield* storage.findUploading(organisationId, [path])
            return uploading.has(path) ? "waiting" : yield* expire(pending, now)
          }
          const status = Option.map(document, (one) => one.status)
          if (Option.contains(status, "pending")) return "waiting"
          return Option.contains(status, "failed") ? "failed" : "uploaded"
        })

        const verifyPending = Effect.fnUntraced(function* (organisationId: OrganisationId, now: DateTime.Utc) {
          const dueAgainAt = DateTime.addDuration(now, retryAfter)
          const pending = yield* maintenance.claimPending(organisationId, { now, dueAgainAt, limit: documentsPerTurn })
          const outcomes = yield* Effect.forEach(
            pending,
            (one) =>
              verifyOne(one, now).pipe(
                Effect.catch(() => Effect.succeed("unsettled" as const)),
                Effect.tap((outcome) => Metric.update(Metric.withAttributes(sweptDocuments, { outcome }), 1))
              ),
            { concurrency: documentsAtOnce }
          )
          const count = (outcome: (typeof outcomes)[number]) => outcomes.filter((one) => one === outcome).length
          const unsettled = count("unsettled")
          // When storage fails for all documents, wait for the next interval.
          const more = outcomes.length === documentsPerTurn && unsettled < outcomes.length
          return { uploaded: count("uploaded"), failed: count("failed"), waiting: count("waiting"), unsettled, more }
        })

        const deleteFiles = Effect.fnUntraced(
          function* (organisationId: OrganisationId) {
            const now = yield* DateTime.now
            const claimedUntil = DateTime.addDuration(now, claimLife)
            const keys = yield* maintenance.claimDeleted(organisationId, {
              now,
              dueAgainAt: claimedUntil,
              limit: filesPerTurn
            })
            if (keys.length === 0) return noFiles
            // Checked before the deletion: an upload that ends later is found by the next claim.
            const uploading = yield* storage.findUploading(organisationId, keys)
            yield* deleteClaimed(storage, organisationId, keys, claimedUntil)
            const ended = keys.filter((key) => !uploading.has(key))
            yield* maintenance.forgetDeleted(organisationId, ended, {
              now,
              claimedUntil,
              uploadsEndAfter: policy.grace
            })
            yield* Metric.update(deletedFiles, keys.length)
            return { filesDeleted: keys.length, more: keys.length === filesPerTurn }
          },
          Effect.catchTag("StorageError", () => Effect.succeed(noFiles))
        )

        const sweepOne = Effect.fnUntraced(function* (organisationId: OrganisationId, now: DateTime.Utc) {
          const pending = yield* verifyPending(organisationId, now)
          const files = yield* deleteFiles(organisationId)
          return { ...pending, ...files, more: pending.more || files.more }
        })

        const sweep = fnWithSpan("DocumentSweeper.sweep")(function* () {
          const now = yield* DateTime.now
          const due = yield* maintenance.findDue({ now, limit: organisationsPerTurn })
          const results = yield* Effect.forEach(due, (organisationId) => sweepOne(organisationId, now), {
            concurrency: organisationsAtOnce
          })
          return results.reduce(add, { ...nothing, more: due.length === organisationsPerTurn })
        })()

        return DocumentSweeper.of({ sweep })
      })
    )

  /**
   * Runs turns until nothing is due, then every ten seconds, until the layer is closed. Logs one
   * line per turn with work.
   */
  static readonly layerBackground: Layer.Layer<never, never, DocumentSweeper> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = yield* DocumentSweeper
      const run = sweep.pipe(
        Effect.tap(({ more: _, ...counts }) =>
          Object.values(counts).some((count) => count > 0)
            ? Effect.logInfo("swept documents").pipe(Effect.annotateLogs(counts))
            : Effect.void
        ),
        Effect.repeat({ while: ({ more }) => more }),
        Effect.catchCause((cause) => Effect.logWarning("sweep failed", cause))
      )
      yield* run.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
    })
  )
}
