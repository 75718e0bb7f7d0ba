/**
 * Services of a command: administration over the configured database, closed after
 * the command. Running servers receive changes over Redis, where configured.
 */
import type { PgClient } from "@solar-sites/adapter-postgres"
import {
  type AccessChanges,
  type ApiKeyStore,
  type ApiKeys,
  type DocumentRepository,
  type DocumentStorage,
  DocumentSweeper,
  type Organisations,
  type Records,
  type RequirementRepository
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import * as Administration from "../Administration.ts"
import type { PasswordHasher } from "../accounts/login/PasswordHasher.ts"
import { fromEnvironment, settings } from "../configuration/Settings.ts"
import * as Coordination from "../coordination/Coordination.ts"
import type { Failure } from "../Failure.ts"
import * as ImportServices from "../import/ImportServices.ts"
import * as Logs from "../Logs.ts"
import { type Refusal, toFailure } from "../Refusals.ts"

// Loaded on demand, so that help and invalid invocations are fast.
const Adapters = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* fromEnvironment(settings)
    const Database = yield* Effect.promise(() => import("../database/Database.ts"))
    return Layer.merge(Database.layer(chosen, "require"), Coordination.layer(chosen))
  })
)

const Services = Administration.layer.pipe(Layer.provideMerge(Adapters))

/** Provides the services and converts refusals to failures. */
export const withServices = <A, E extends Refusal>(
  command: Effect.Effect<
    A,
    E,
    | Organisations
    | ApiKeys
    | ApiKeyStore
    | DocumentRepository
    | PgClient
    | Records
    | RequirementRepository
    | PasswordHasher
    | AccessChanges
  >
): Effect.Effect<A, Failure> =>
  command.pipe(Effect.mapError(toFailure), Effect.provide(Services), Effect.provide(Logs.layer))

// Commands show no signed addresses, so the public URL does not matter.
const Storage = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* fromEnvironment(settings)
    const { layer } = yield* Effect.promise(() => import("../storage/Storage.ts"))
    return layer(chosen, Effect.succeed("http://localhost"))
  })
)

const Sweeper = DocumentSweeper.layer.pipe(Layer.provideMerge(Storage))

/** Also provides the sweeper of the configured storage, for commands that delete files. */
export const withStorage = <A, E extends Refusal>(
  command: Effect.Effect<A, E, Organisations | Records | DocumentStorage | DocumentSweeper | PgClient>
): Effect.Effect<A, Failure> =>
  command.pipe(
    Effect.mapError(toFailure),
    Effect.provide(Layer.provideMerge(Sweeper, Services)),
    Effect.provide(Logs.layer)
  )

/** Also provides database and storage themselves, for archives. */
export const withArchive = <A, E extends Refusal>(
  command: Effect.Effect<A, E, PgClient | DocumentStorage>
): Effect.Effect<A, Failure> =>
  command.pipe(Effect.mapError(toFailure), Effect.provide(Layer.merge(Storage, Adapters)), Effect.provide(Logs.layer))

/** Also provides what an import of sites needs. */
export const withSites = <A, E extends Refusal>(
  command: Effect.Effect<A, E, Organisations | ImportServices.ImportServices>
): Effect.Effect<A, Failure> =>
  command.pipe(
    Effect.mapError(toFailure),
    Effect.provide(ImportServices.layer.pipe(Layer.provide(Storage), Layer.provideMerge(Services))),
    Effect.provide(Logs.layer)
  )
