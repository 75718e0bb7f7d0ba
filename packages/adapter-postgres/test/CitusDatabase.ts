/**
 * Schemas that are distributed over a Citus cluster.
 */
import { distribute, layerPorts, migrate, PgClient, type PgLayerOptions } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { startCitus } from "./CitusCluster.ts"
import { randomSchema } from "./Databases.ts"

/** A cluster for a scope. `settings` are those of `startCitus`. */
export const aCluster = (settings?: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(() => startCitus(settings)),
    (cluster) => Effect.promise(cluster.stop)
  )

/** Options of a client of the cluster. */
export const onCluster = (url: string, schema: string, more: Partial<PgLayerOptions> = {}): PgLayerOptions => ({
  url: Redacted.make(url),
  schema,
  queryTimeout: "30 seconds",
  ...more
})

/** The ports over a migrated and distributed schema. `more` are options of the client. */
export const distributed = Effect.fnUntraced(function* (url: string, more: Partial<PgLayerOptions> = {}) {
  const schema = randomSchema()
  yield* Effect.andThen(migrate, distribute).pipe(Effect.provide(PgClient.layer(onCluster(url, schema))))
  return yield* Layer.build(Layer.provideMerge(layerPorts, PgClient.layer(onCluster(url, schema, more))))
})
