/** `IdempotencyStore` in memory. */
import { IdempotencyStore, idempotencyClaimKind, idempotencyClaims } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, recordsIn } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

export const layer: Layer.Layer<IdempotencyStore, never, MemoryDatabase> = Layer.effect(
  IdempotencyStore,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return IdempotencyStore.of({
      ...(yield* idempotencyClaims),
      findOrganisations: ({ after, limit }) =>
        Effect.sync(() => {
          const found = [...database].flatMap(([id, owner]) =>
            recordsIn(owner, idempotencyClaimKind).size > 0 ? [id] : []
          )
          const following = found.filter((id) => after === null || id > after)
          return following.sort().slice(0, limit)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
