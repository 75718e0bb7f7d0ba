/**
 * Concurrent writes in a `SiteRepository`.
 */

import { VersionMismatch } from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { repeatedly } from "../../src/conformance/Expectations.ts"
import { siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { aSite } from "../../src/fixtures.ts"

const atOnce = { concurrency: "unbounded" } as const

export const siteConcurrencyCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "loses none of several concurrent updates of different members",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const site = yield* insertSite(organisationId)
      const siteManager = { name: "Ada", email: null, phone: null, company: null, userId: null }
      const changes = [
        { siteName: "Renamed" },
        { capacity: 12.5 },
        { unit: "MW" },
        { address: "1 Sun Lane" },
        { latitude: 51.5 },
        { longitude: -0.12 },
        { portfolioId },
        { siteManager },
        { coverImageUrl: "https://images.example/a.jpg" }
      ] as const
      yield* Effect.forEach(
        changes,
        (change) => sites.update(organisationId, site.id, change, { at: changedAt }),
        atOnce
      )
      const expected = aSite({
        ...Object.assign({ ...site }, ...changes),
        capacityKw: 12_500,
        updatedAt: changedAt,
        version: 10
      })
      assert.deepEqual(yield* currentSite(site), expected, "every update is there, and counted")
    })
  },
  {
    name: "increments the version for each of ten concurrent updates of one member",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = yield* insertSite(yield* insertOrganisation())
      const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`)
      const answers = yield* Effect.forEach(
        names,
        (siteName) => sites.update(site.organisationId, site.id, { siteName }, { at: changedAt }),
        atOnce
      )
      const versions = answers.map(({ version }) => version).sort((a, b) => a - b)
      assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "each answers the state it made")
      const last = answers.find(({ version }) => version === 11)
      assert.deepEqual(yield* currentSite(site), last, "the last one is what is stored")
    })
  },
  {
    name: "returns to each of several concurrent updates of one member the value that it set",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const portfolio = yield* insertPortfolio(organisationId)
        const portfolioIds = [portfolio.id, null]
        // Some updates change nothing unless others run before them.
        const site = yield* insertSite(organisationId, { address: "a", portfolioId: portfolio.id })
        const setters = Array.from({ length: 12 }, (_, index) => ({
          address: index % 2 === 0 ? "a" : "b",
          portfolioId: portfolioIds[index % 2] ?? null
        }))
        const answers = yield* Effect.forEach(
          setters,
          (changes) => sites.update(organisationId, site.id, changes, { at: changedAt }),
          atOnce
        )
        const values = answers.map(({ address, portfolioId }) => ({ address, portfolioId }))
        assert.deepEqual(values, setters, "each answers what it was asked to set, changed or not")
      })
    )
  },
  {
    name: "lets one of several concurrent updates of the same expected version win",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = yield* insertSite(yield* insertOrganisation())
      const options = { at: changedAt, expectedVersions: [1] }
      const results = yield* Effect.forEach(
        ["A", "B", "C", "D", "E"],
        (siteName) => Effect.result(sites.update(site.organisationId, site.id, { siteName }, options)),
        atOnce
      )
      const won = results.filter(Result.isSuccess).map(({ success }) => success)
      assert.equal(won.length, 1, "one update found the version it expected")
      for (const { failure } of results.filter(Result.isFailure)) {
        assert.ok(failure instanceof VersionMismatch, `the others find a new version, not ${failure}`)
        assert.equal(failure.actual, 2, "the refusal tells the version there is")
      }
      assert.deepEqual(yield* currentSite(site), won[0])
    })
  },
  {
    name: "leaves a site in one portfolio after two concurrent moves, and counts both",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const portfolios = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)] as const
        const site = yield* insertSite(organisationId)
        const moves = portfolios.map(({ id: portfolioId }) =>
          sites.update(organisationId, site.id, { portfolioId }, { at: changedAt })
        )
        yield* Effect.all(moves, atOnce)
        const now = yield* currentSite(site)
        assert.equal(now?.version, 3, "both moves count")
        for (const portfolio of portfolios) {
          const { siteCount } = (yield* currentPortfolio(portfolio)) ?? portfolio
          assert.equal(siteCount, portfolio.id === now?.portfolioId ? 1 : 0, "the site counts where it is")
        }
      })
    )
  }
]
