import { assert, describe, it } from "@effect/vitest"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { Context, Effect, Layer } from "effect"
import { options, ownSchema, postgresUrl, withoutPostgres } from "../Databases.ts"
import { boundRole } from "../Roles.ts"
import { everyMethod } from "./EveryMethod.ts"
import { generate, generated } from "./Generate.ts"
import { methodNames } from "./MethodNames.ts"
import { faultsOf, recording } from "./Plans.ts"

// So many organisations that an index pays off for the table of organisations too. Plans of 100,000
// sites notice the absence of the same indexes.
const sizes = { organisations: 2_000, sites: 20_000 }

describe.skipIf(withoutPostgres)("on twenty thousand sites", () => {
  it.live("every statement uses an index that begins with the organisation, also with row-level security", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const client = PgClient.layer(options(schema, { queryTimeout: "1 minute" }))
      yield* Effect.gen(function* () {
        yield* migrate
        yield* generate(postgresUrl, sizes, () => {})
        const direct = yield* PgClient
        const ids = yield* generated
        const { recorded, service } = recording(direct)
        const ports = layerPorts.pipe(Layer.provide(Layer.succeed(PgClient, service)))
        yield* Effect.gen(function* () {
          for (const number of [0, 77]) yield* everyMethod(yield* ids.organisationId(number))
          const called = new Set(recorded().map(({ operation }) => operation))
          assert.deepStrictEqual([...called].sort(), [...(yield* methodNames)].sort(), "every method was called")
        }).pipe(Effect.provide(ports))

        const [row] = yield* direct.run({ operation: "test", text: "show server_version_num" })
        const withGeneric = Number(row?.[0]) >= 160_000
        const faults: Array<string> = []
        for (const statement of recorded()) faults.push(...(yield* faultsOf(direct, statement, withGeneric)))

        // Conditions of policies come first. The others must still use the indexes.
        const url = yield* boundRole(schema)
        const bound = Context.get(yield* Layer.build(PgClient.layer({ url, schema })), PgClient)
        for (const statement of recorded()) faults.push(...(yield* faultsOf(bound, statement, false)))
        assert.deepStrictEqual([...new Set(faults)], [])
      }).pipe(Effect.provide(client))
    })
  )
})
