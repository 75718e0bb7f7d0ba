import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Database, onPglite, onPostgres, withoutPostgres } from "./Databases.ts"

/** The server makes five custom plans before it considers a generic one. */
const considered = 5
const size = 1_050

const plannedOnce = Effect.fnUntraced(function* (ports: Database) {
  yield* Effect.gen(function* () {
    const organisation = anOrganisation()
    const { id: organisationId } = organisation
    yield* (yield* OrganisationRepository).insert(organisation)
    const sites = yield* siteMethods
    const all = Array.from({ length: size }, () => aSite({ organisationId }))
    yield* Effect.forEach(all, (site) => sites.insert(organisationId, site), { concurrency: "unbounded" })
    yield* asked("analyze")
    for (const limit of [100, 1_000, size]) {
      for (let round = 0; round < considered + 5; round++) {
        const page = yield* sites.list(organisationId, {}, { after: null, limit: limit - round })
        assert.deepStrictEqual(page.items, all.slice(0, limit - round))
        assert.isTrue(page.hasMore || limit - round === size)
      }
    }
    const counted = yield* asked(`
      select statement ~ 'limit 101', statement ~ 'limit 1001', generic_plans, custom_plans from pg_prepared_statements
      where statement like '%string_agg%limit $%' order by 1 desc, 2 desc
    `)
    const [small, large, any] = counted.map(([, , generic, custom]) => [Number(generic), Number(custom)])
    assert.deepStrictEqual(small, [5, considered], "pages of up to 100")
    assert.deepStrictEqual(large, [5, considered], "pages of up to 1,000")
    assert.strictEqual((any?.[0] ?? 0) + (any?.[1] ?? 0), considered + 5, "larger ones")
  }).pipe(Effect.provide(ports))
})

const asked = (text: string) => PgClient.use(({ run }) => run({ operation: "test", text }))

describe("pages of any size", () => {
  it.live.skipIf(withoutPostgres)("are complete, and use one plan up to the maximum size", () =>
    Effect.flatMap(onPostgres({ poolSize: 1, queryTimeout: "30 seconds" }), plannedOnce)
  )

  it.live("are so in an embedded database too", () => Effect.flatMap(onPglite(), plannedOnce))
})
