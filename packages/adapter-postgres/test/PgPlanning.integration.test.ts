import { assert, describe, it } from "@effect/vitest"
import { PgClient, type PgLayerOptions } from "@solar-sites/adapter-postgres"
import { SiteRepository } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { Context, Effect } from "effect"
import { onPostgres, options, withoutPostgres } from "./Databases.ts"

const asked = (text: string) => PgClient.use(({ query }) => query("test", (sql) => sql.unsafe(text).values()))

describe.skipIf(withoutPostgres)("a pool of ours", () => {
  it.live("has each prepared statement planned once, but where a pooler would refuse to be told so", () =>
    Effect.gen(function* () {
      const mode = (more: Partial<PgLayerOptions>) =>
        Effect.map(
          Effect.provide(asked("show plan_cache_mode"), PgClient.layer(options("public", more))),
          (rows) => rows[0]?.[0]
        )
      assert.strictEqual(yield* mode({}), "force_generic_plan")
      assert.strictEqual(yield* mode({ pooler: "transaction" }), "auto")
    })
  )

  it.live("never plans a page for its limit", () =>
    Effect.gen(function* () {
      const ports = yield* onPostgres({ poolSize: 1 })
      const sites = Context.get(ports, SiteRepository)
      const organisationId = anOrganisationId()
      for (let limit = 1; limit <= 12; limit++) yield* sites.list(organisationId, {}, { after: null, limit })
      const counted = yield* Effect.provide(
        asked(
          "select generic_plans, custom_plans from pg_prepared_statements where statement like '%string_agg%limit%'"
        ),
        ports
      )
      assert.deepStrictEqual(
        counted.map(([generic, custom]) => [Number(generic), Number(custom)]),
        [[12, 0]]
      )
    })
  )
})
