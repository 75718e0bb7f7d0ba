/**
 * What the commands work with: the rules of administration over the database of
 * the settings, opened for the one command and closed after it. Running servers
 * hear of a change over Redis, where one is named.
 */
import { type ApiKeyStore, type ApiKeys, DocumentSweeper, type Organisations } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import * as Administration from "../Administration.ts"
import type { Users } from "../accounts/Users.ts"
import { fromEnvironment, settings } from "../configuration/Settings.ts"
import * as Coordination from "../coordination/Coordination.ts"
import type { Failure } from "../Failure.ts"
import * as Logs from "../Logs.ts"
import { type Refusal, toFailure } from "../Refusals.ts"

// Imported when a command needs it, so that help and wrong invocations need not wait for it.
const Adapters = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* fromEnvironment(settings)
    const Database = yield* Effect.promise(() => import("../database/Database.ts"))
    return Layer.merge(Database.layer(chosen, "require"), Coordination.layer(chosen))
  })
)

const Services = Administration.layer.pipe(Layer.provideMerge(Adapters))

/**
 * Provides a command with the services, and turns what is refused into a
 * sentence.
 */
export const withServices = <A, E extends Refusal>(
  command: Effect.Effect<A, E, Organisations | ApiKeys | ApiKeyStore | Users>
): Effect.Effect<A, Failure> =>
  command.pipe(Effect.mapError(toFailure), Effect.provide(Services), Effect.provide(Logs.layer))

// The command signs no addresses, so that any public address will do.
const Stored = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* fromEnvironment(settings)
    const Storage = yield* Effect.promise(() => import("../storage/Storage.ts"))
    return DocumentSweeper.layer.pipe(Layer.provide(Storage.layer(chosen, Effect.succeed("http://localhost"))))
  })
)

/**
 * The same with a sweeper over the storage of the settings, for commands that
 * delete files.
 */
export const withStorage = <A, E extends Refusal>(
  command: Effect.Effect<A, E, Organisations | ApiKeys | ApiKeyStore | Users | DocumentSweeper>
): Effect.Effect<A, Failure> =>
  command.pipe(
    Effect.mapError(toFailure),
    Effect.provide(Layer.provideMerge(Stored, Services)),
    Effect.provide(Logs.layer)
  )
