/** Health checks of readiness: database, storage and, where configured, Redis. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { DocumentStorage } from "@solar-sites/core"
import { type HealthCheck, HealthChecks } from "@solar-sites/http-node"
import { Effect, Layer } from "effect"
import { probe } from "../storage/Probe.ts"

const database = ({ run }: PgClient["Service"]): HealthCheck => ({
  name: "database",
  problem: "database_unavailable",
  isUp: Effect.isSuccess(run({ operation: "HealthChecks.database", text: "select 1", readOnly: true }))
})

const storage = (service: DocumentStorage["Service"]): HealthCheck => ({
  name: "storage",
  problem: "storage_unavailable",
  isUp: Effect.isSuccess(probe(service))
})

export const layer: Layer.Layer<never, never, PgClient | DocumentStorage> = Layer.effect(
  HealthChecks,
  Effect.gen(function* () {
    return [database(yield* PgClient), storage(yield* DocumentStorage), ...(yield* HealthChecks)]
  })
)
