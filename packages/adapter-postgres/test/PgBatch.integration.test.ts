import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { makeUnchecked, OrganisationRepository, Site } from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { Array as Arr, Context, Effect, Layer, type Result } from "effect"
import { type Database, onPglite, onPostgres, withoutPostgres } from "./Databases.ts"
import { asBoundRole } from "./Roles.ts"

/** An organisation with a portfolio, and sites to insert: half of them in the portfolio. */
const aMember = Effect.gen(function* () {
  const organisation = anOrganisation()
  const { id: organisationId } = organisation
  const portfolio = aPortfolio({ organisationId })
  yield* (yield* OrganisationRepository).insert(organisation)
  yield* (yield* portfolioMethods).insertMany(organisationId, [portfolio])
  const sites = Arr.makeBy(40, (index) => aSite({ organisationId, portfolioId: index % 2 === 0 ? portfolio.id : null }))
  return { organisationId, portfolio, sites }
})

const outcome = (result: Result.Result<unknown, { readonly _tag: string }>): string =>
  result._tag === "Success" ? "stored" : result.failure._tag

/** The ports, and how many batches each port method has sent. */
const counting = (database: Database) => {
  const counts = new Map<string, number>()
  const original = Context.get(database, PgClient)
  const client = PgClient.of({
    ...original,
    batch: (statement) =>
      original.batch({
        ...statement,
        parameters: (items) => {
          counts.set(statement.operation, (counts.get(statement.operation) ?? 0) + 1)
          return statement.parameters(items)
        }
      })
  })
  return { counts, ports: Layer.provide(Layer.fresh(layerPorts), Layer.succeed(PgClient, client)) }
}

const together = Effect.fnUntraced(function* (database: Database) {
  const { counts, ports } = counting(database)
  yield* Effect.gen(function* () {
    const members = [yield* aMember, yield* aMember]
    const [first] = members
    assert(first !== undefined)
    const { organisationId, portfolio } = first
    const nowhere = aSite({ organisationId, portfolioId: aPortfolio().id })
    const unfounded = aSite()
    // The rules refuse it; only a direct call of the port reaches the server with it.
    const impossible = makeUnchecked(Site, { ...aSite({ organisationId, portfolioId: portfolio.id }), version: 0 })
    const known = aSite({ organisationId })
    const repository = yield* siteMethods
    yield* repository.insert(organisationId, known)
    counts.clear()

    const all = [
      ...members.flatMap(({ sites }) => sites),
      nowhere,
      unfounded,
      impossible,
      aSite({ ...known, siteName: "Not again" })
    ]
    const results = yield* Effect.forEach(all, (site) => Effect.result(repository.insert(site.organisationId, site)), {
      concurrency: "unbounded"
    })

    const expected = members.flatMap(({ sites }) => sites.map(() => "stored"))
    assert.deepStrictEqual(results.map(outcome), [
      ...expected,
      "PortfolioNotFound",
      "OrganisationNotFound",
      "RepositoryError",
      "stored"
    ])
    const answers = results.flatMap((result) => (result._tag === "Success" ? [result.success] : []))
    assert.deepStrictEqual(answers, [...members.flatMap(({ sites }) => sites), known])
    for (const { organisationId: own, sites } of members) {
      const { items } = yield* repository.list(own, {}, { after: null, limit: 100 })
      const ids = [...sites.map(({ id }) => id), ...(own === organisationId ? [known.id] : [])]
      assert.deepStrictEqual(items.map(({ id }) => id).sort(), ids.sort())
    }
    // Two organisations with two groups each, one unknown portfolio and one unknown organisation; the twenty-one items
    // that share a batch with the impossible one run again alone. The rules load what stands against the three
    // others that are not stored.
    assert.strictEqual(counts.get("SiteRepository.insert"), 6 + 21 + 3)
  }).pipe(Effect.provide(ports))
})

/** A trigger of the host that refuses sites of one name. */
const refusing = (name: string) =>
  PgClient.use(({ run, schema }) =>
    run({
      operation: "refusing",
      text: `
          create function ${schema}.refuse() returns trigger language plpgsql as $$ begin
            if new.site_name = '${name}' then raise exception 'not here'; end if;
            return new;
          end $$;
          create trigger refuse before insert on ${schema}.site for each row execute function ${schema}.refuse()`
    })
  )

describe("sites that are inserted at the same time", () => {
  it.live.skipIf(withoutPostgres)("are stored when a trigger of the host refuses one of them", () =>
    Effect.gen(function* () {
      const { organisationId } = yield* aMember
      yield* refusing("bad")
      const sites = yield* siteMethods
      const results = yield* Effect.forEach(
        ["good", "bad", "better"],
        (siteName) => Effect.result(sites.insert(organisationId, aSite({ organisationId, siteName }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results.map(outcome), ["stored", "RepositoryError", "stored"])
    }).pipe(Effect.provide(Layer.effectContext(onPostgres())))
  )

  it.live.skipIf(withoutPostgres)("get one result each, from a few statements", () =>
    Effect.flatMap(onPostgres(), together)
  )

  it.live.skipIf(withoutPostgres)("get one result each behind row-level security", () =>
    Effect.flatMap(asBoundRole(), together)
  )

  it.live("get one result each from an embedded database", () => Effect.flatMap(onPglite(), together))
})
