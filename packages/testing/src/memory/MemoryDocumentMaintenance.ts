/**
 * `DocumentMaintenance` in memory.
 */
import { type Claim, DocumentMaintenance } from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, type MemoryDocument, type Owned, ownedBy } from "./MemoryDatabase.ts"

interface Due {
  readonly dueAt: DateTime.Utc | null
}

const whenDue = ({ dueAt }: Due): number => (dueAt === null ? Number.NEGATIVE_INFINITY : DateTime.toEpochMillis(dueAt))

/** The longest due first, so that frequently due items do not starve others. */
const claimable = <Item extends Due>(items: ReadonlyArray<Item>, { limit, now }: Claim): ReadonlyArray<Item> =>
  items
    .filter((item) => whenDue(item) <= DateTime.toEpochMillis(now))
    .sort((a, b) => (whenDue(a) === whenDue(b) ? 0 : whenDue(a) - whenDue(b)))
    .slice(0, limit)

const pendingOf = ({ documents }: Owned): ReadonlyArray<MemoryDocument> =>
  [...documents.values()].filter(({ document }) => document.status === "pending")

export const layer: Layer.Layer<DocumentMaintenance, never, MemoryDatabase> = Layer.effect(
  DocumentMaintenance,
  Effect.map(MemoryDatabase, (database) =>
    DocumentMaintenance.of({
      findDue: (claim) =>
        Effect.sync(() => {
          const first = [...database].flatMap(([id, owned]) => {
            const [dueAt] = [...pendingOf(owned), ...owned.deletedFiles.values()].map(whenDue).sort((a, b) => a - b)
            return dueAt === undefined || dueAt > DateTime.toEpochMillis(claim.now) ? [] : [{ id, dueAt }]
          })
          const inTurn = first.sort((a, b) => (a.dueAt === b.dueAt ? (a.id < b.id ? -1 : 1) : a.dueAt - b.dueAt))
          return inTurn.slice(0, claim.limit).map(({ id }) => id)
        }),

      claimPending: (organisationId, claim) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          return claimable(pendingOf(owned), claim).map((stored) => {
            owned.documents.set(stored.document.id, { ...stored, dueAt: claim.dueAgainAt })
            return { document: stored.document, addressExpiresAt: stored.addressExpiresAt }
          })
        }),

      claimDeleted: (organisationId, claim) =>
        Effect.sync(() => {
          const { deletedFiles } = ownedBy(database, organisationId)
          const files = [...deletedFiles]
            .filter(
              ([, { claimedUntil }]) =>
                claimedUntil === null || claimedUntil.epochMilliseconds <= claim.now.epochMilliseconds
            )
            .map(([key, file]) => ({ ...file, key }))
          return claimable(files, claim).map(({ key, ...file }) => {
            deletedFiles.set(key, { ...file, dueAt: claim.dueAgainAt, claimedUntil: claim.dueAgainAt })
            return key
          })
        }),

      forgetDeleted: (organisationId, keys, { claimedUntil, now, uploadsEndAfter }) =>
        Effect.sync(() => {
          const { deletedFiles } = ownedBy(database, organisationId)
          for (const key of keys) {
            const file = deletedFiles.get(key)
            if (file?.claimedUntil?.epochMilliseconds !== claimedUntil.epochMilliseconds) continue
            const dueAt = DateTime.addDuration(file.addressExpiresAt, uploadsEndAfter)
            if (DateTime.isLessThan(now, dueAt)) deletedFiles.set(key, { ...file, dueAt, claimedUntil: null })
            else deletedFiles.delete(key)
          }
        })
    })
  )
)
