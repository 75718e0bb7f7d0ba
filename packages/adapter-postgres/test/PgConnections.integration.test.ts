import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { Array as Arr, Context, Effect, Fiber, Layer } from "effect"
import { onPostgres, options, withoutPostgres } from "./Databases.ts"
import { asDataRole } from "./Roles.ts"

const run = (text: string) => PgClient.use(({ run }) => run({ operation: "test", text }))

describe.skipIf(withoutPostgres)("connections", () => {
  it.live("are shared by reads, and never with a write that waits for a lock", () =>
    Effect.gen(function* () {
      const poolSize = 4
      const database = yield* onPostgres({ poolSize, queryTimeout: "50 seconds" })
      const outside = yield* Layer.build(PgClient.layer(options("x", { queryTimeout: "50 seconds" })))
      const { schema } = Context.get(database, PgClient)
      yield* Effect.gen(function* () {
        const [one, two] = [anOrganisation(), anOrganisation()]
        for (const organisation of [one, two]) yield* (yield* OrganisationRepository).insert(organisation)
        const portfolios = Arr.makeBy(poolSize + 1, () => aPortfolio({ organisationId: one.id }))
        yield* (yield* portfolioMethods).insertMany(one.id, portfolios)
        const sites = yield* siteMethods
        const store = ({ id }: { readonly id: (typeof portfolios)[number]["id"] }) =>
          sites.insert(one.id, aSite({ organisationId: one.id, portfolioId: id }))
        const list = sites.list(two.id, {}, { after: null, limit: 10 })
        // Each connection knows the statements by now: the first time it takes one at a time anyway.
        for (let round = 0; round < 5; round++) {
          yield* Effect.all(
            Arr.makeBy(20, () => list),
            { concurrency: "unbounded" }
          )
          yield* Effect.forEach(portfolios.slice(1), store, { concurrency: "unbounded" })
        }
        const [locked = aPortfolio()] = portfolios
        const lock = yield* run(`
          with locked as materialized (select id from ${schema}.portfolio where id = '${locked.id}' for update)
          select pg_sleep(40) from locked
        `).pipe(Effect.provide(outside), Effect.exit, Effect.forkChild)
        const waits = (what: string) =>
          Effect.provide(
            run(`
          select 1 from pg_stat_activity where ${what} and query like '%${schema}%'`),
            outside
          )
        const untilWaits = (what: string) =>
          waits(what).pipe(Effect.repeat({ until: (rows) => rows.length > 0 }), Effect.timeout("20 seconds"))
        yield* untilWaits("wait_event = 'PgSleep'")
        const write = yield* Effect.forkChild(store(locked))
        yield* untilWaits("wait_event_type = 'Lock'")

        for (let round = 0; round < 3; round++)
          yield* Effect.all(
            Arr.makeBy(10, () => list),
            { concurrency: "unbounded" }
          )
        assert.lengthOf(yield* waits("wait_event_type = 'Lock'"), 1)

        yield* Effect.provide(
          run(
            `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and query like '%${schema}%'`
          ),
          outside
        )
        yield* Fiber.join(lock)
        yield* Fiber.join(write)
      }).pipe(Effect.provide(database))
    })
  )

  it.live("return all digits of a number with any setting of the role", () =>
    Effect.gen(function* () {
      const organisation = anOrganisation()
      const site = aSite({ organisationId: organisation.id, latitude: 51.50735123456789, longitude: 0.1 + 0.2 })
      yield* (yield* OrganisationRepository).insert(organisation)
      yield* run("alter role current_user set extra_float_digits = 0")
      const sites = yield* siteMethods
      yield* sites.insert(organisation.id, site)
      // More at a time than there are connections from before that.
      const list = sites.list(organisation.id, {}, { after: null, limit: 10 })
      const pages = yield* Effect.all(
        Arr.makeBy(10, () => list),
        { concurrency: "unbounded" }
      )
      for (const { items } of pages) assert.deepStrictEqual(items, [site])
    }).pipe(Effect.provide(Layer.effectContext(asDataRole)))
  )
})
