import { assert, describe, it } from "@effect/vitest"
import { OrganisationRepository, type SiteId } from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Option, Random } from "effect"
import { onPostgres, withoutPostgres } from "./Databases.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

describe.skipIf(withoutPostgres)("many writers in one organisation", () => {
  it.live("get a result or a refusal each, and leave totals that are right", () =>
    Effect.gen(function* () {
      const organisation = anOrganisation()
      const organisationId = organisation.id
      const sites = yield* siteMethods
      const portfolios = yield* portfolioMethods
      yield* (yield* OrganisationRepository).insert(organisation)

      const siteIds = Array.from({ length: 12 }, () => aSite().id)
      const portfolioIds = Array.from({ length: 4 }, () => aPortfolio().id)
      const pick = <Item>(items: ReadonlyArray<Item>) =>
        Effect.map(Random.nextIntBetween(0, items.length - 1), (index) => items[index] ?? assert.fail("none"))
      const some = Effect.map(
        Effect.forEach(siteIds, (id) => Effect.map(Random.nextBoolean, (chosen) => (chosen ? id : null))),
        (ids) => ids.filter((id): id is SiteId => id !== null).reverse()
      )

      const operations: ReadonlyArray<Effect.Effect<void, { readonly _tag: string }>> = [
        Effect.gen(function* () {
          const portfolioId = (yield* Random.nextBoolean) ? yield* pick(portfolioIds) : null
          yield* sites.insert(organisationId, aSite({ id: yield* pick(siteIds), organisationId, portfolioId }))
        }),
        Effect.gen(function* () {
          const portfolio = aPortfolio({ id: yield* pick(portfolioIds), organisationId })
          yield* portfolios.insertMany(organisationId, [portfolio])
        }),
        Effect.gen(function* () {
          const changes = { portfolioId: yield* pick(portfolioIds), siteName: `Site ${yield* Random.nextInt}` }
          yield* sites.update(organisationId, yield* pick(siteIds), changes, { at })
        }),
        Effect.gen(function* () {
          yield* portfolios.addSites(organisationId, yield* pick(portfolioIds), yield* some, { at })
        }),
        Effect.gen(function* () {
          yield* portfolios.removeSites(organisationId, yield* pick(portfolioIds), [yield* pick(siteIds)], { at })
        }),
        Effect.gen(function* () {
          yield* portfolios.delete(organisationId, yield* pick(portfolioIds), { at })
        }),
        Effect.gen(function* () {
          if (yield* Random.nextBoolean) yield* sites.delete(organisationId, yield* pick(siteIds))
        })
      ]
      const writer = Effect.gen(function* () {
        const result = yield* Effect.result(yield* pick(operations))
        if (result._tag === "Failure") {
          assert.notStrictEqual(result.failure._tag, "RepositoryError", String(Reflect.get(result.failure, "cause")))
        }
      })
      yield* Effect.all(
        Array.from({ length: 1_500 }, () => writer),
        { concurrency: 16, discard: true }
      )

      const all = yield* sites.list(organisationId, {}, { after: null, limit: 100 })
      for (const portfolio of (yield* portfolios.list(organisationId, {}, { after: null, limit: 100 })).items) {
        const members = all.items.filter((site) => site.portfolioId === portfolio.id)
        assert.deepInclude({ ...portfolio }, { siteCount: members.length, capacityKw: members.length * 750 })
      }
      for (const site of all.items) {
        if (site.portfolioId === null) continue
        assert.isTrue(Option.isSome(yield* portfolios.findById(organisationId, site.portfolioId)))
      }
    }).pipe((effect) =>
      Effect.flatMap(onPostgres({ queryTimeout: "20 seconds" }), (ports) => Effect.provide(effect, ports))
    )
  )
})
