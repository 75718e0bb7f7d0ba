/**
 * Schemas that are distributed over a Citus cluster.
 */
import { distribute, migrate, PgClient, type PgLayerOptions } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { startCitus } from "./CitusCluster.ts"
import { migrated, randomSchema } from "./Databases.ts"

/** A cluster for a scope. */
export const aCluster = Effect.acquireRelease(
  Effect.promise(() => startCitus()),
  (cluster) => Effect.promise(cluster.stop)
)

/** A migrated and distributed schema. `more` are options of the client. */
export const distributed = Effect.fnUntraced(function* (url: string, more: Partial<PgLayerOptions> = {}) {
  const schema = randomSchema()
  const options: PgLayerOptions = { url: Redacted.make(url), schema, queryTimeout: "30 seconds", ...more }
  yield* Effect.andThen(migrate, distribute).pipe(Effect.provide(PgClient.layer(options)))
  return yield* Layer.build(migrated(PgClient.layer(options)))
})
