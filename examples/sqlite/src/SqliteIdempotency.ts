/**
 * `IdempotencyStore` on SQLite.
 */
import { IdempotencyStore, idempotencyClaims, type OrganisationId, type Records } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { SqliteDatabase } from "./SqliteDatabase.ts"

export const layer: Layer.Layer<IdempotencyStore, never, SqliteDatabase | Records> = Layer.effect(
  IdempotencyStore,
  Effect.gen(function* () {
    const { step } = yield* SqliteDatabase

    return IdempotencyStore.of({
      ...(yield* idempotencyClaims),
      findOrganisations: ({ after, limit }) =>
        step("IdempotencyStore.findOrganisations", ({ all }) =>
          all(
            `select distinct organisation_id as id from record
             where kind = 'idempotency_claim' and organisation_id > ? order by 1 limit ?`,
            after ?? "",
            limit
            // The column has ids of organisations.
          ).map(({ id }) => id as OrganisationId)
        )
    })
  })
)
