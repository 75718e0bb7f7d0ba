/**
 * Changes that create several records, and records with computed members.
 */
import { Portfolio, portfolioKind, Records, siteKind } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { repeatedly } from "./Expectations.ts"
import { commit, created, idOf, insertion, load, type RecordsPorts } from "./RecordsSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio, originIn } from "./Setup.ts"

export const furtherRecordsCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "commits one of several concurrent changes with the same new unique values, in any order, as a whole",
    check: repeatedly(
      Effect.gen(function* () {
        const organisationId = yield* insertOrganisation()
        const values = Array.from({ length: 10 }, (_, index) => `value ${index}`)
        const batches = [values, values.toReversed(), values, values.toReversed()].map((externalIds) =>
          externalIds.map((externalId) => aSite({ organisationId, externalId }))
        )
        const outcomes = yield* Effect.forEach(
          batches,
          (sites) =>
            commit(
              organisationId,
              sites.map((site) => insertion(siteKind, site))
            ),
          {
            concurrency: "unbounded"
          }
        )
        const won = batches.filter((_, index) => outcomes[index]?._tag === "Committed").flat()
        const stored = yield* Effect.forEach(batches.flat(), ({ id }) => load(organisationId, siteKind, id))
        assert.deepEqual(
          stored.flatMap((site) => (site === null ? [] : idOf(site.record))),
          won.map(({ id }) => id),
          "the stored sites"
        )
        assert.equal(won.length, values.length, "one change")
        const subjects = (yield* storedEvents(organisationId)).map(({ subject }) => subject.id)
        assert.deepEqual(
          subjects,
          won.map(({ id }) => id),
          "the events"
        )
      })
    )
  },
  {
    name: "computes members of a loaded record, and neither stores nor compares them",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id } = yield* insertPortfolio(organisationId)
      const records = yield* Records
      const loaded = Effect.map(
        records.load("Records", organisationId, [{ kind: portfolioKind, by: "id", values: [id] }]),
        (found) => found.byId(portfolioKind, id)
      )
      const before = yield* loaded
      assert.ok(before, "a stored portfolio")
      const site = { organisationId, portfolioId: id, capacity: 2, unit: "MW", capacityKw: 2_000 } as const
      yield* created(organisationId, siteKind, aSite(site))
      const after = new Portfolio({ ...before.record, name: "Other", siteCount: 7, version: before.record.version + 1 })
      const outcome = yield* records.commit("Records", organisationId, {
        writes: [{ kind: portfolioKind, id, before, after }],
        reads: [],
        events: [],
        origin: yield* originIn(organisationId),
        at: changedAt
      })
      assert.equal(outcome._tag, "Committed", "the outcome")
      const expected = aPortfolio({ ...after, siteCount: 1, capacityKw: 2_000 })
      assert.deepEqual((yield* loaded)?.record, expected, "the loaded record")
    })
  }
]
