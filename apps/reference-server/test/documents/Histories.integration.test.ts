import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { type Context, Effect, Exit, Layer, Random, Redacted, Scope } from "effect"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { type ChainPorts, runChainHistory } from "./ChainHistory.ts"

const schemas = ownSchemas()
const seeds = Array.from({ length: 3 }, (_, index) => `history ${index}`)

describe.skipIf(withoutPostgres)("on Postgres", () => {
  const scope = Scope.makeUnsafe()
  // With a pool each, for all histories: each new connection plans its statements anew.
  const instances: Array<Context.Context<ChainPorts>> = []

  beforeAll(async () => {
    const { DATABASE_SCHEMA: schema, DATABASE_URL: url } = schemas.next()
    const client = PgClient.layer({ url: Redacted.make(url), schema, queryTimeout: "30 seconds" })
    await migrate.pipe(Effect.provide(client), Effect.runPromise)
    const instance = Layer.buildWithScope(Layer.fresh(Layer.provide(layerPorts, client)), scope)
    instances.push(await Effect.runPromise(instance), await Effect.runPromise(instance))
  })

  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await schemas.drop()
  })

  describe("the revisions of a site are whole after every round of concurrent changes", () => {
    it.live.each(seeds)("%s", (seed) => {
      const [first, second] = instances
      if (first === undefined || second === undefined) throw new Error("two instances are needed")
      return runChainHistory([first, second], 60).pipe(Random.withSeed(seed))
    })
  })
})
