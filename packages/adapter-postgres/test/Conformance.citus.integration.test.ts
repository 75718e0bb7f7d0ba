import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { withoutCitus } from "./CitusCluster.ts"
import { aCluster, distributed } from "./CitusDatabase.ts"
import { randomSchema, shared } from "./Databases.ts"
import { conforms } from "./Suites.ts"

/** The address of the cluster, once it runs. */
let url = ""

const database = Effect.gen(function* () {
  url = process.env["CITUS_URL"] ?? (yield* aCluster()).url
  return yield* distributed(url)
})

/** A schema without tables. */
const breakDatabase = () =>
  Layer.suspend(() => Layer.provide(layerPorts, PgClient.layer({ url: Redacted.make(url), schema: randomSchema() })))

conforms("citus", shared(database), withoutCitus, breakDatabase)
