/** Health checks of readiness: database, storage and, where configured, Redis. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { DocumentStorage, type RepositoryError } from "@solar-sites/core"
import { type HealthCheck, HealthChecks } from "@solar-sites/http-node"
import { Effect, Layer } from "effect"
import { probe } from "../storage/Probe.ts"

/** Errors of an external database may name its hosts, and readiness is open to all clients. */
const reasonOf = ({ cause }: RepositoryError): Effect.Effect<false, string> =>
  cause instanceof Error && Object(cause).code === "PGLITE_FAILED"
    ? Effect.fail(
        `The embedded database has stopped: ${cause.message.replace(/^the embedded database stopped: /, "")}. It is opened again by itself, at most once a second.`
      )
    : Effect.succeed(false)

const database = ({ run }: PgClient["Service"]): HealthCheck => ({
  name: "database",
  problem: "database_unavailable",
  isUp: run({ operation: "HealthChecks.database", text: "select 1", readOnly: true }).pipe(
    Effect.as(true),
    Effect.catch(reasonOf)
  )
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
