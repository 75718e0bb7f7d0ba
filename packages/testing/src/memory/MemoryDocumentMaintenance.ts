/**
 * `DocumentMaintenance` in memory.
 */
import { DocumentMaintenance, documentClaiming } from "@solar-sites/core"
import type { DateTime } from "effect"
import { Effect, Layer } from "effect"
import { MemoryDatabase, type Owned } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/** The longest due instants of pending documents and of files. */
const firstDue = ({ deletedFiles, documents }: Owned): number => {
  const millis = ({ dueAt }: { readonly dueAt: DateTime.Utc | null }) => dueAt?.epochMilliseconds ?? 0
  const pending = [...documents.values()].filter(({ document }) => document.status === "pending")
  return Math.min(...[...pending, ...deletedFiles.values()].map(millis))
}

export const layer: Layer.Layer<DocumentMaintenance, never, MemoryDatabase> = Layer.effect(
  DocumentMaintenance,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return DocumentMaintenance.of({
      ...(yield* documentClaiming),
      findDue: ({ limit, now }) =>
        Effect.sync(() => {
          const due = [...database].map(([id, owned]) => ({ id, dueAt: firstDue(owned) }))
          const inTurn = due.filter(({ dueAt }) => dueAt <= now.epochMilliseconds)
          const order = inTurn.sort((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1))
          return order.slice(0, limit).map(({ id }) => id)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
