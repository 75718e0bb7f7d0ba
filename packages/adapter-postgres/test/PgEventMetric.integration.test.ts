import { assert, describe, it } from "@effect/vitest"
import { EventRepository, type OrganisationId, OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Metric } from "effect"
import { afterAll, beforeAll } from "vitest"
import { onPostgres, shared, withoutPostgres } from "./Databases.ts"

const at = DateTime.makeUnsafe("2026-11-22T12:00:00Z")

const feed = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const page = { after: null, limit: 1_000, order: "asc" } as const
  const { items } = yield* (yield* EventRepository).list(organisationId, {}, page)
  return Map.groupBy(items, ({ type }) => type)
})

/** Values of the metric by type. */
const counted = Effect.map(Metric.snapshot, (snapshot) =>
  snapshot.flatMap((metric) =>
    metric.type === "Counter" && metric.id === "solar_sites_events_written"
      ? [[String(metric.attributes?.["type"]), Number(metric.state.count)] as const]
      : []
  )
)

describe.skipIf(withoutPostgres)("the metric of written events", () => {
  const database = shared(onPostgres())
  beforeAll(() => database.open())
  afterAll(() => database.close())

  it.effect("counts the events of the feed by type, those of shared statements too", () =>
    Effect.gen(function* () {
      const [organisations, portfolios] = [yield* OrganisationRepository, yield* portfolioMethods]
      const sites = yield* siteMethods
      const { id } = yield* Effect.tap(
        Effect.sync(() => anOrganisation()),
        organisations.insert
      )
      const portfolio = aPortfolio({ organisationId: id })
      const inserted = Array.from({ length: 12 }, () => aSite({ organisationId: id }))
      yield* Effect.gen(function* () {
        yield* portfolios.insertMany(id, [portfolio])
        yield* Effect.forEach([...inserted, ...inserted], (site) => sites.insert(id, site), {
          concurrency: "unbounded"
        })
        yield* portfolios.addSites(
          id,
          portfolio.id,
          inserted.slice(2).map((site) => site.id),
          { at }
        )
        yield* portfolios.delete(id, portfolio.id, { at })
        yield* portfolios.delete(id, portfolio.id, { at }).pipe(Effect.flip)
        const expected = [...(yield* feed(id))].map(([type, events]) => [type, events.length] as const)
        assert.deepStrictEqual((yield* counted).toSorted(), expected.toSorted())
        assert.deepStrictEqual(expected.toSorted(), [
          ["portfolio.created", 1],
          ["portfolio.deleted", 1],
          ["site.created", 12],
          ["site.updated", 20]
        ])
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
    }).pipe(Effect.provide(database.layer))
  )
})
