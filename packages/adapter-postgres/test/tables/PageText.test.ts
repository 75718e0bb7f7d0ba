import { assert, describe, it } from "@effect/vitest"
import { jsonOf, OrganisationRepository, type Page, type Portfolio, storageKey } from "@solar-sites/core"
import {
  aDocument,
  anOrganisation,
  aPortfolio,
  aSite,
  documentMethods,
  portfolioMethods,
  siteMethods
} from "@solar-sites/testing"
import { Effect } from "effect"
import { onPostgres, withoutPostgres } from "../Databases.ts"

const first = { after: null, limit: 10 }
const name = 'a\u001fb\u001e"\\'

/** Also for members that are null, and for totals of portfolios. */
const pages = Effect.gen(function* () {
  const organisation = anOrganisation({ name })
  const organisationId = organisation.id
  const portfolio = aPortfolio({ organisationId, name })
  const site = aSite({ organisationId, portfolioId: portfolio.id, capacity: 0.07, unit: "MW" })
  const filled = aDocument({ organisationId, siteId: site.id, filename: name, documentType: "invoice" })
  const empty = aDocument({ organisationId, siteId: site.id, sizeBytes: null })
  const organisations = yield* OrganisationRepository
  const portfolios = yield* portfolioMethods
  const documents = yield* documentMethods
  yield* organisations.insert(organisation)
  yield* portfolios.insertMany(organisationId, [portfolio, aPortfolio({ organisationId })])
  yield* (yield* siteMethods).insert(organisationId, site)
  yield* documents.insertMany(organisationId, site.id, [filled, empty], site.createdAt)
  const found: ReadonlyArray<readonly [kind: string, page: Page<{ readonly id: string }>]> = [
    ["organisations", yield* organisations.list(first)],
    ["portfolios", yield* portfolios.list(organisationId, {}, first)],
    ["documents", yield* documents.list(organisationId, {}, first)]
  ]
  return found
})

describe.skipIf(withoutPostgres)("pages of tables with long lists", () => {
  it.live("come with the JSON of their models", () =>
    Effect.gen(function* () {
      for (const [kind, page] of yield* pages) {
        assert.isNotEmpty(page.items, kind)
        assert.deepStrictEqual(
          jsonOf(page)?.texts(),
          page.items.map((item) => JSON.stringify(item)),
          kind
        )
        assert.strictEqual(jsonOf(page)?.lastId, page.items.at(-1)?.id, kind)
      }
    }).pipe((effect) => Effect.flatMap(onPostgres(), (ports) => Effect.provide(effect, ports)))
  )

  it.live("come with the JSON of their sites per portfolio, unless one has an uploaded cover", () =>
    Effect.gen(function* () {
      const organisation = anOrganisation()
      const organisationId = organisation.id
      const [shown, covered, empty] = [1, 2, 3].map(() => aPortfolio({ organisationId })) as [
        Portfolio,
        Portfolio,
        Portfolio
      ]
      const portfolios = yield* portfolioMethods
      const sites = yield* siteMethods
      yield* (yield* OrganisationRepository).insert(organisation)
      yield* portfolios.insertMany(organisationId, [shown, covered, empty])
      for (const { id: portfolioId } of [shown, shown, covered]) {
        yield* sites.insert(organisationId, aSite({ organisationId, portfolioId, siteName: name, capacity: 0.07 }))
      }
      const site = aSite({ organisationId, portfolioId: covered.id })
      const coverImageUrl = storageKey({ organisationId, siteId: site.id, documentId: aDocument().id })
      yield* sites.insert(organisationId, aSite({ ...site, coverImageUrl }))
      const { items } = yield* portfolios.listWithSites(organisationId, first)
      assert.deepStrictEqual(
        items.map((slice) => [slice.portfolioId, slice.sites.length, jsonOf(slice)?.texts()]),
        [
          [shown.id, 2, items[0]?.sites.map((one) => JSON.stringify(one))],
          [covered.id, 2, undefined],
          [empty.id, 0, []]
        ]
      )
      assert.strictEqual(jsonOf(items[0] ?? {})?.lastId, items[0]?.sites.at(-1)?.id)
      const rest = yield* portfolios.listWithSites(organisationId, {
        after: { portfolioId: shown.id, siteId: items[0]?.sites[0]?.id ?? null },
        limit: 1
      })
      assert.deepStrictEqual(rest.items[0]?.sites, items[0]?.sites.slice(1))
      assert.deepStrictEqual(
        jsonOf(rest.items[0] ?? {})?.texts(),
        jsonOf(items[0] ?? {})
          ?.texts()
          .slice(1)
      )
    }).pipe((effect) => Effect.flatMap(onPostgres(), (ports) => Effect.provide(effect, ports)))
  )
})
