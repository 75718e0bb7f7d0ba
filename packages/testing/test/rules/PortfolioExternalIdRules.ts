/**
 * External ids of portfolios are unique per organisation.
 */
import { ExternalIdTaken, type Portfolio, VersionMismatch } from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused, repeatedly } from "../../src/conformance/Expectations.ts"
import { portfolioMethods } from "../../src/conformance/Methods.ts"
import {
  changedAt,
  currentPortfolio,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { aPortfolio } from "../../src/fixtures.ts"

const atOnce = { concurrency: "unbounded" } as const

const taken = Effect.fnUntraced(function* <R>(
  attempt: Effect.Effect<unknown, unknown, R>,
  owners: ReadonlyArray<Portfolio>
) {
  const { conflicts } = yield* refused(attempt, ExternalIdTaken, "other portfolios have the external ids")
  const expected = owners.map(({ externalId, id }) => ({ externalId, takenBy: id }))
  assert.deepEqual(conflicts, expected, "the refusal names the external ids in the order given, with their portfolios")
})

export const portfolioExternalIdCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "refuses external ids that other portfolios have, all of them, and stores none",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const make = (externalId: string | null) => aPortfolio({ organisationId, externalId })
      const [a, b] = yield* portfolios.insertMany(organisationId, [make("A"), make("B")])
      assert.ok(a && b, "two portfolios are stored")
      yield* taken(portfolios.insertMany(organisationId, [make("C"), make("B"), make(null), make("A")]), [b, a])
      const { id } = yield* insertPortfolio(yield* insertOrganisation())
      const elsewhere = aPortfolio({ id, organisationId, externalId: "B" })
      yield* taken(portfolios.insertMany(organisationId, [elsewhere]), [b])
      yield* taken(portfolios.update(organisationId, a.id, { name: "Never", externalId: "B" }, { at: changedAt }), [b])
      const { items } = yield* portfolios.list(organisationId, {}, { after: null, limit: 100 })
      assert.deepEqual(items, [a, b], "a refusal changes nothing")
      yield* insertSite(organisationId, { externalId: "A" })
      const others = yield* insertOrganisation()
      yield* portfolios.insertMany(others, [aPortfolio({ organisationId: others, externalId: "A" })])
    })
  },
  {
    name: "sets, keeps, clears and reuses an external id",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [first, second] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)] as const
      const update = (portfolio: Portfolio, changes: { name?: string; externalId?: string | null }) =>
        portfolios.update(organisationId, portfolio.id, changes, { at: changedAt })
      const named = yield* update(first, { externalId: "A" })
      assert.deepEqual(named, aPortfolio({ ...first, externalId: "A", updatedAt: changedAt, version: 2 }))
      assert.deepEqual(
        yield* update(first, { name: first.name, externalId: "A" }),
        named,
        "equal values change nothing"
      )
      const renamed = yield* update(first, { name: "Renamed" })
      assert.equal(renamed.externalId, "A", "an absent member keeps its value")
      const options = { at: changedAt, expectedVersions: [9] }
      const stale = portfolios.update(organisationId, second.id, { externalId: "A" }, options)
      yield* refused(stale, VersionMismatch, "a stale version comes before a taken external id")
      yield* update(first, { externalId: null })
      assert.equal((yield* update(second, { externalId: "A" })).externalId, "A", "a cleared one is free")
      yield* portfolios.delete(organisationId, second.id, { at: changedAt })
      assert.equal((yield* update(first, { externalId: "A" })).externalId, "A", "so is that of a deleted portfolio")
    })
  },
  {
    name: "keeps a portfolio that is inserted again, with any external id",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      yield* insertPortfolio(organisationId, { externalId: "A" })
      const stored = yield* insertPortfolio(organisationId, { externalId: "B" })
      for (const externalId of ["A", "B", "C", null]) {
        const again = yield* portfolios.insertMany(organisationId, [aPortfolio({ ...stored, externalId })])
        assert.deepEqual(again, [stored], "the answer is what is stored")
      }
      assert.deepEqual(yield* currentPortfolio(stored), stored)
    })
  },
  {
    name: "gives external ids to one of several concurrent batches, in any order",
    check: repeatedly(
      Effect.gen(function* () {
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const externalIds = Array.from({ length: 10 }, (_, index) => `A-${index}`)
        const results = yield* Effect.forEach(
          [externalIds, externalIds.toReversed(), externalIds],
          (ids) => {
            const batch = ids.map((externalId) => aPortfolio({ organisationId, externalId }))
            return Effect.result(portfolios.insertMany(organisationId, batch))
          },
          atOnce
        )
        const [winner, ...others] = results.filter(Result.isSuccess).map(({ success }) => success)
        assert.deepEqual(others, [], "one batch wins")
        for (const { failure } of results.filter(Result.isFailure)) {
          assert.ok(failure instanceof ExternalIdTaken, `the others are refused, not ${failure}`)
        }
        const { items } = yield* portfolios.list(organisationId, {}, { after: null, limit: 100 })
        assert.deepEqual(
          items,
          [...(winner ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1)),
          "the winner is stored"
        )
      })
    )
  }
]
