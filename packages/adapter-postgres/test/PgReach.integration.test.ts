/** Lists of callers that are limited to many portfolios, in small pages. */
import { assert, describe, it } from "@effect/vitest"
import { EventRepository, OrganisationRepository, SiteRepository } from "@solar-sites/core"
import { anOrganisation, aPortfolio, aSite, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { Effect } from "effect"
import { onPostgres, withoutPostgres } from "./Databases.ts"

/** Sites in eight portfolios of a reach and in another one, most of them in one, at both ends of the list. */
const places = [8, 0, 0, 0, 0, 1, 8, 2, 3, 4, 5, 6, 7, 8, 1, 2, 8, 8, 0, 0, 0, 0, 0]

const world = Effect.gen(function* () {
  const organisation = anOrganisation()
  const organisationId = organisation.id
  yield* (yield* OrganisationRepository).insert(organisation)
  const portfolios = Array.from({ length: 9 }, () => aPortfolio({ organisationId }))
  yield* (yield* portfolioMethods).insertMany(organisationId, portfolios)
  const { insert } = yield* siteMethods
  for (const place of places) {
    yield* insert(organisationId, aSite({ organisationId, portfolioId: portfolios[place]?.id ?? null }))
  }
  return { organisationId, portfolioIds: portfolios.slice(0, 8).map(({ id }) => id) }
})

describe.skipIf(withoutPostgres)("a caller that is limited to many portfolios", () => {
  it.live("lists all of their sites and events in pages of any size, in both directions", () =>
    Effect.gen(function* () {
      const reach = yield* world
      const { organisationId, portfolioIds } = reach
      const [sites, events] = [yield* SiteRepository, yield* EventRepository]
      const within = (id: string | null) => portfolioIds.some((one) => one === id)
      const whole = (yield* sites.list(organisationId, {}, { after: null, limit: 100 })).items
      const ids = whole.filter(({ portfolioId }) => within(portfolioId)).map(({ id }) => id)
      const feed = (yield* events.list(organisationId, {}, { after: null, limit: 100, order: "asc" })).items
      const sequences = feed
        .filter(({ siteId, subject }) => within(subject.id) || ids.some((id) => id === siteId))
        .map(({ sequence }) => sequence)
      for (const order of ["asc", "desc"] as const) {
        const [allIds, allSequences] = [ids, sequences].map((all) => (order === "asc" ? all : all.toReversed()))
        for (const limit of [1, 2, 3, 5, 9, 18, 30]) {
          for (let from = 0; from < ids.length; from += limit) {
            const sort = { by: "createdAt", order, value: null } as const
            const after = (from === 0 ? null : allIds?.[from - 1]) as (typeof ids)[number] | null
            const page = yield* sites.list(reach, {}, { after, limit, sort })
            assert.deepStrictEqual(page.items.map(({ id }) => id) as unknown, allIds?.slice(from, from + limit))
            assert.strictEqual(page.hasMore, from + limit < ids.length)
          }
          for (let from = 0; from < sequences.length; from += limit) {
            const after = (from === 0 ? null : allSequences?.[from - 1]) as number | null
            const page = yield* events.list(reach, {}, { after, limit, order })
            const expected = allSequences?.slice(from, from + limit)
            assert.deepStrictEqual(page.items.map(({ sequence }) => sequence) as unknown, expected)
            assert.strictEqual(page.hasMore, from + limit < sequences.length)
          }
        }
      }
    }).pipe((effect) => Effect.flatMap(onPostgres(), (ports) => Effect.provide(effect, ports)))
  )
})
