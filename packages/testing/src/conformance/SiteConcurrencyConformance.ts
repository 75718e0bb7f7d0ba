/**
 * What a `SiteRepository` promises when several write at the same time.
 */
import {
  PortfolioNotFound,
  PortfolioRepository,
  SiteNotFound,
  SiteRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Result } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { race, repeatedly, succeeded, succeededUnless } from "./Expectations.ts"
import {
  evenLater,
  later,
  portfolioNow,
  type RecordPorts,
  siteNow,
  storedOrganisation,
  storedPortfolio,
  storedSite
} from "./Setup.ts"

const atOnce = { concurrency: "unbounded" } as const

export const siteConcurrencyCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "loses none of several concurrent updates of different members",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const { id: portfolioId } = yield* storedPortfolio(organisationId)
      const site = yield* storedSite(organisationId)
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
      yield* Effect.forEach(changes, (change) => sites.update(organisationId, site.id, change, { at: later }), atOnce)
      const expected = aSite({
        ...Object.assign({ ...site }, ...changes),
        capacityKw: 12_500,
        updatedAt: later,
        version: 10
      })
      assert.deepEqual(yield* siteNow(site), expected, "every update is there, and counted")
    })
  },
  {
    name: "counts every one of ten concurrent updates of one member",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const site = yield* storedSite(yield* storedOrganisation())
      const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`)
      const answers = yield* Effect.forEach(
        names,
        (siteName) => sites.update(site.organisationId, site.id, { siteName }, { at: later }),
        atOnce
      )
      const versions = answers.map(({ version }) => version).sort((a, b) => a - b)
      assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "each answers the state it made")
      const last = answers.find(({ version }) => version === 11)
      assert.deepEqual(yield* siteNow(site), last, "the last one is what is stored")
    })
  },
  {
    name: "answers each of several concurrent updates of one member with the value that it set",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* SiteRepository
        const organisationId = yield* storedOrganisation()
        const portfolio = yield* storedPortfolio(organisationId)
        const portfolioIds = [portfolio.id, null]
        // Some of the updates change nothing unless others come before them.
        const site = yield* storedSite(organisationId, { address: "a", portfolioId: portfolio.id })
        const setters = Array.from({ length: 12 }, (_, index) => ({
          address: index % 2 === 0 ? "a" : "b",
          portfolioId: portfolioIds[index % 2] ?? null
        }))
        const answers = yield* Effect.forEach(
          setters,
          (changes) => sites.update(organisationId, site.id, changes, { at: later }),
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
      const sites = yield* SiteRepository
      const site = yield* storedSite(yield* storedOrganisation())
      const options = { at: later, expectedVersions: [1] }
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
      assert.deepEqual(yield* siteNow(site), won[0])
    })
  },
  {
    name: "leaves a site in one portfolio after two racing moves, and counts both",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* SiteRepository
        const organisationId = yield* storedOrganisation()
        const portfolios = [yield* storedPortfolio(organisationId), yield* storedPortfolio(organisationId)] as const
        const site = yield* storedSite(organisationId)
        const moves = portfolios.map(({ id: portfolioId }) =>
          sites.update(organisationId, site.id, { portfolioId }, { at: later })
        )
        yield* Effect.all(moves, atOnce)
        const now = yield* siteNow(site)
        assert.equal(now?.version, 3, "both moves count")
        for (const portfolio of portfolios) {
          const { siteCount } = (yield* portfolioNow(portfolio)) ?? portfolio
          assert.equal(siteCount, portfolio.id === now?.portfolioId ? 1 : 0, "the site counts where it is")
        }
      })
    )
  },
  {
    name: "lets one of two concurrent deletes succeed",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* SiteRepository
        const { id, organisationId } = yield* storedSite(yield* storedOrganisation())
        const results = yield* race(sites.delete(organisationId, id), sites.delete(organisationId, id))
        const wins = results.map((result) => succeededUnless(result, SiteNotFound, "the other one finds nothing"))
        assert.deepEqual(wins.sort(), [false, true], "one of them deleted it")
      })
    )
  },
  {
    name: "brings no site back by an update that races its delete",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* SiteRepository
        const site = yield* storedSite(yield* storedOrganisation())
        const { id, organisationId } = site
        const [updated, deleted] = yield* race(
          sites.update(organisationId, id, { siteName: "Late" }, { at: later }),
          sites.delete(organisationId, id)
        )
        succeeded(deleted, "the delete finds the site, changed or not")
        succeededUnless(updated, SiteNotFound, "the update comes too late")
        assert.equal(yield* siteNow(site), null, "a deleted site stays away")
      })
    )
  },
  {
    name: "leaves no site in a portfolio that is deleted while it is inserted or moved there",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* SiteRepository
        const portfolios = yield* PortfolioRepository
        const organisationId = yield* storedOrganisation()
        const { id: portfolioId } = yield* storedPortfolio(organisationId)
        const moving = yield* storedSite(organisationId)
        const fresh = aSite({ organisationId, portfolioId })
        const [inserted, moved, deleted] = yield* Effect.all(
          [
            Effect.result(sites.insert(organisationId, fresh)),
            Effect.result(sites.update(organisationId, moving.id, { portfolioId }, { at: later })),
            Effect.result(portfolios.delete(organisationId, portfolioId, { at: evenLater }))
          ],
          atOnce
        )
        succeeded(deleted, "the portfolio can be deleted")
        const isInserted = succeededUnless(inserted, PortfolioNotFound, "an insert is too late for the portfolio")
        const isMoved = succeededUnless(moved, PortfolioNotFound, "a move is too late for the portfolio")
        const released = [yield* siteNow(fresh), yield* siteNow(moving)] as const
        assert.equal(released[0] !== null, isInserted, "an insert that succeeded is there")
        for (const site of released) assert.equal(site?.portfolioId ?? null, null, "no site points at what is gone")
        assert.equal(released[1]?.version, isMoved ? 3 : 1, "moved and released, or neither")
      })
    )
  }
]
