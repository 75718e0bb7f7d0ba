import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import {
  EventRepository,
  eventOrigins,
  OrganisationRepository,
  PortfolioRepository,
  requirementListRecords
} from "@solar-sites/core"
import { anOrganisation, aPortfolio, portfolioMethods } from "@solar-sites/testing"
import { DateTime, Effect, Fiber, Layer } from "effect"
import postgres from "postgres"
import { onPostgres, postgresUrl, withoutPostgres } from "./Databases.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

describe.skipIf(withoutPostgres)("the deletion of a portfolio", () => {
  it.live("names the requirements that were there, when others changed them while it waited", () =>
    Effect.gen(function* () {
      const organisation = anOrganisation()
      const { id } = organisation
      yield* (yield* OrganisationRepository).insert(organisation)
      const portfolio = aPortfolio({ organisationId: id })
      yield* (yield* portfolioMethods).insertMany(id, [portfolio])
      const required = { validityRequired: false, expiringWithinDays: 30 }
      const own = { documentType: "ppa", portfolioId: portfolio.id, ...required } as const
      const added = { documentType: "insurance", portfolioId: null, ...required } as const
      const origin = yield* (yield* eventOrigins)(id)
      const { replace } = yield* requirementListRecords
      yield* replace(id, [own], { at })

      const { run, schema } = yield* PgClient
      const connection = yield* Effect.acquireRelease(
        Effect.sync(() => postgres(postgresUrl, { max: 1, fetch_types: false })),
        (sql) => Effect.promise(() => sql.end({ timeout: 1 }))
      )
      const send = (text: string) => Effect.promise(() => connection.unsafe(text))
      yield* send("begin")
      yield* send(`update ${schema}.requirement_list set version = version + 1 where organisation_id = '${id}'`)
      yield* send(`insert into ${schema}.requirement values ('${id}', 1, 'insurance', null, false, 30)`)
      const portfolios = yield* PortfolioRepository
      const deletion = yield* Effect.forkChild(portfolios.delete(id, portfolio.id, { at, origin }))
      const isWaiting = Effect.map(
        run({
          operation: "test",
          text: "select 1 from pg_stat_activity where wait_event_type = 'Lock' and position($1::text in query) > 0",
          parameters: [schema]
        }),
        (rows) => rows.length > 0
      )
      while (!(yield* isWaiting)) yield* Effect.sleep("5 millis")
      yield* send("commit")

      assert.deepStrictEqual(yield* Fiber.join(deletion), { isExpected: true, version: 1 })
      const { items } = yield* (yield* EventRepository).list(id, {}, { after: null, limit: 1, order: "desc" })
      assert.deepStrictEqual(items[0]?.changes, { requirements: { from: [own, added], to: [added] } })
    }).pipe(Effect.scoped, Effect.provide(Layer.effectContext(onPostgres())))
  )
})
