import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { HostOrganisations } from "@solar-sites/core"
import { MemoryDatabase, MemoryOrganisationRepository } from "@solar-sites/testing"
import { Effect, Layer, type Scope } from "effect"
import { type Database, onPglite, onPostgres, options, randomSchema, shared, withoutPostgres } from "./Databases.ts"
import { conforms } from "./Suites.ts"
import { keepTwins } from "./Twins.ts"

const host = Layer.fresh(MemoryOrganisationRepository.layer.pipe(Layer.provide(MemoryDatabase.layer)))

/** Organisations of the host, which the tables of the database refer to. */
const withHost = <E>(opened: Effect.Effect<Database, E, Scope.Scope>): Effect.Effect<Database, E, Scope.Scope> =>
  Effect.flatMap(opened, (database) =>
    Layer.build(HostOrganisations.layer(host).pipe(Layer.provideMerge(Layer.succeedContext(database))))
  )

/** Each organisation has a twin with the same ids. */
const withTwins = <E>(opened: Effect.Effect<Database, E, Scope.Scope>): Effect.Effect<Database, unknown, Scope.Scope> =>
  Effect.tap(opened, (database) => Effect.provideContext(keepTwins, database))

/** A schema without tables. */
const breakDatabase = () => Layer.provide(layerPorts, PgClient.layer(options(randomSchema())))

conforms("postgres", shared(withTwins(onPostgres())), withoutPostgres, breakDatabase)
conforms("postgres with organisations of the host", shared(withHost(onPostgres())), withoutPostgres, undefined, false)
conforms("pglite", shared(onPglite()), false)
