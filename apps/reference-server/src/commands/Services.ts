/**
 * Services of a command: administration over the configured database, closed after
 * the command. Running servers receive changes over Redis, where configured.
 */
import { DocumentSweeper } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import * as Administration from "../Administration.ts"
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

// Commands show no signed addresses, so the public URL does not matter.
const Storage = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* fromEnvironment(settings)
    const { layer } = yield* Effect.promise(() => import("../storage/Storage.ts"))
    return layer(chosen, Effect.succeed("http://localhost"))
  })
)

const Sweeper = DocumentSweeper.layer.pipe(Layer.provideMerge(Storage))

/** Provides services and converts refusals to failures. */
const providing =
  <R>(services: Layer.Layer<R, Failure>) =>
  <A, E extends Refusal>(command: Effect.Effect<A, E, R>): Effect.Effect<A, Failure> =>
    command.pipe(Effect.mapError(toFailure), Effect.provide(services), Effect.provide(Logs.layer))

export const withServices = providing(Services)

/** Also provides the sweeper of the configured storage, for commands that delete files. */
export const withStorage = providing(Layer.provideMerge(Sweeper, Services))

/** Provides database and storage themselves, for archives. */
export const withArchive = providing(Layer.merge(Storage, Adapters))

/** Also provides what an import of sites needs. */
export const withSites = providing(ImportServices.layer.pipe(Layer.provide(Storage), Layer.provideMerge(Services)))
