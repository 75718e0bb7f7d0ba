/** Migrations for hosts without Effect: as promises, and as effects that `await` refuses. */
import { Effect, type Layer } from "effect"
import type { PgClient } from "../PgClient.ts"

/** For hosts without Effect. `database` is the `layer` of this package, opened for the call. */
export interface MigrationPromises {
  readonly migrate: (database: Layer.Layer<PgClient, unknown>) => Promise<ReadonlyArray<string>>
  readonly pendingMigrations: (database: Layer.Layer<PgClient, unknown>) => Promise<ReadonlyArray<string>>
}

export const runOn =
  <A, E>(effect: Effect.Effect<A, E, PgClient>) =>
  (database: Layer.Layer<PgClient, unknown>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, database))

/** An effect that `await` refuses, at compile time and at run time: `await` would not run it. */
export interface NotAwaitable<A, E, R> extends Effect.Effect<A, E, R> {
  readonly then: (runItByEffectRunPromise: never) => never
}

export const notAwaitable = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): NotAwaitable<A, E, R> =>
  Object.assign(effect, {
    // biome-ignore lint/suspicious/noThenProperty: this is what `await` calls
    then: () => {
      throw new TypeError(
        `${name} is an Effect, which await does not run: await promises.${name}(database), where database is layer({ url })`
      )
    }
  })
