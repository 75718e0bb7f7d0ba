/**
 * A `DocumentMaintenance` that lives in memory.
 *
 * @since 0.1.0
 */
import { type Claim, DocumentMaintenance } from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

interface Due {
  readonly dueAt: DateTime.Utc | null
}

const whenDue = ({ dueAt }: Due): number => (dueAt === null ? Number.NEGATIVE_INFINITY : DateTime.toEpochMillis(dueAt))

/** The oldest due first, so that nothing waits for ever behind what is due again and again. */
const claimable = <Item extends Due>(items: ReadonlyArray<Item>, { limit, now }: Claim): ReadonlyArray<Item> =>
  items
    .filter((item) => whenDue(item) <= DateTime.toEpochMillis(now))
    .sort((a, b) => (whenDue(a) === whenDue(b) ? 0 : whenDue(a) - whenDue(b)))
    .slice(0, limit)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<DocumentMaintenance, never, MemoryDatabase> = Layer.effect(
  DocumentMaintenance,
  Effect.map(MemoryDatabase, (database) =>
    DocumentMaintenance.of({
      claimPending: (claim) =>
        Effect.sync(() => {
          const pending = [...database.values()].flatMap(({ documents }) =>
            [...documents.values()]
              .filter(({ document }) => document.status === "pending")
              .map((stored) => ({ ...stored, documents }))
          )
          return claimable(pending, claim).map(({ documents, ...stored }) => {
            documents.set(stored.document.id, { ...stored, dueAt: claim.again })
            return { document: stored.document, addressExpiresAt: stored.addressExpiresAt }
          })
        }),

      claimDeleted: (claim) =>
        Effect.sync(() => {
          const files = [...database.values()].flatMap(({ deletedFiles }) =>
            [...deletedFiles].map(([key, file]) => ({ ...file, key, deletedFiles }))
          )
          return claimable(files, claim).map(({ addressExpiresAt, deletedFiles, key }) => {
            deletedFiles.set(key, { addressExpiresAt, dueAt: claim.again })
            return key
          })
        }),

      forgetDeleted: (keys, { now, uploadsEndAfter }) =>
        Effect.sync(() => {
          for (const { deletedFiles } of database.values()) {
            for (const key of keys) {
              const file = deletedFiles.get(key)
              if (file === undefined) continue
              const dueAt = DateTime.addDuration(file.addressExpiresAt, uploadsEndAfter)
              if (DateTime.isLessThan(now, dueAt)) deletedFiles.set(key, { ...file, dueAt })
              else deletedFiles.delete(key)
            }
          }
        })
    })
  )
)
