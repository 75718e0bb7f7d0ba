import { afterAll, describe, it } from "@effect/vitest"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Random, Redacted } from "effect"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { runChainHistory } from "./ChainHistory.ts"

const schemas = ownSchemas()
const seeds = Array.from({ length: 6 }, (_, index) => `history ${index}`)

describe.skipIf(withoutPostgres)("on Postgres", () => {
  const { DATABASE_SCHEMA: schema, DATABASE_URL: url } = schemas.next()
  afterAll(() => schemas.drop())

  const instance = Layer.build(
    Layer.fresh(
      layerPorts.pipe(
        Layer.provideMerge(PgClient.layer({ url: Redacted.make(url), schema, queryTimeout: "30 seconds" }))
      )
    )
  )

  describe("the revisions of a site are whole after every round of concurrent changes", () => {
    it.live.each(seeds)("%s", (seed) =>
      Effect.gen(function* () {
        const databases = [yield* instance, yield* instance] as const
        yield* Effect.provide(migrate, databases[0])
        yield* runChainHistory(databases, 60)
      }).pipe(Random.withSeed(seed))
    )
  })
})
