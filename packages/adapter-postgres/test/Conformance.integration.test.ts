import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Layer, type Scope } from "effect"
import { type Database, onPostgres, options, randomSchema, shared, withoutPostgres } from "./Databases.ts"
import { conforms } from "./Suites.ts"
import { keepTwins } from "./Twins.ts"

/** Each organisation has a twin with the same ids. */
const withTwins = <E>(opened: Effect.Effect<Database, E, Scope.Scope>): Effect.Effect<Database, unknown, Scope.Scope> =>
  Effect.tap(opened, (database) => Effect.provideContext(keepTwins, database))

/** A schema without tables. */
const breakDatabase = () => Layer.provide(layerPorts, PgClient.layer(options(randomSchema())))

conforms("postgres", shared(withTwins(onPostgres())), withoutPostgres, { breakDatabase })
