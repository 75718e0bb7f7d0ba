/**
 * Insertion of existing ids of portfolios changes nothing, so that a retried request with the
 * same ids leaves no duplicate.
 */

import type { Portfolio } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { repeatedly } from "../../src/conformance/Expectations.ts"
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

const everything = { after: null, limit: 100 }
const names = Array.from({ length: 10 }, (_, index) => `Attempt ${index}`)
const atOnce = { concurrency: "unbounded" } as const

export const portfolioRepeatedInsertCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "leaves portfolios unchanged when their ids are inserted again, and returns the stored ones in order",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [first, second] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      yield* portfolios.update(organisationId, first.id, { name: "Changed" }, { at: changedAt })
      yield* insertSite(organisationId, { portfolioId: first.id })
      const changed = yield* currentPortfolio(first)
      const fresh = [aPortfolio({ organisationId }), aPortfolio({ organisationId })] as const
      const batch = [fresh[1], aPortfolio({ ...second, name: "Again" }), fresh[0], first]
      const expected = [fresh[1], second, fresh[0], changed]
      for (const answer of [
        yield* portfolios.insertMany(organisationId, batch),
        yield* portfolios.insertMany(organisationId, batch)
      ]) {
        assert.deepEqual(answer, expected, "the answer is what is stored, in the order asked for")
      }
      const listed = yield* portfolios.list(organisationId, {}, everything)
      assert.deepEqual(listed.items, [changed, second, ...fresh], "what was stored stays as it was")
    })
  },
  {
    name: "returns new portfolios as inserted, whether or not another organisation has their ids",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const theirs = yield* insertPortfolio(yield* insertOrganisation(), { name: "Theirs", version: 3 })
      const organisationId = yield* insertOrganisation()
      const batch: ReadonlyArray<Portfolio> = [
        aPortfolio({ organisationId, id: theirs.id }),
        aPortfolio({ organisationId })
      ]
      assert.deepEqual(yield* portfolios.insertMany(organisationId, batch), batch, "the answer is those inserted")
      assert.deepEqual((yield* portfolios.list(organisationId, {}, everything)).items, batch, "and they are stored")
      assert.deepEqual(yield* currentPortfolio(theirs), theirs, "the other organisation's stays as it was")
    })
  },
  {
    name: "stores each portfolio once and returns it to all of ten concurrent inserts",
    check: repeatedly(
      Effect.gen(function* () {
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const ids = [aPortfolio().id, aPortfolio().id]
        const batchOf = (name: string, index: number) => {
          const batch = ids.map((id) => aPortfolio({ id, organisationId, name }))
          return index % 2 === 0 ? batch : batch.toReversed()
        }
        const answers = yield* Effect.forEach(
          names,
          (name, index) => portfolios.insertMany(organisationId, batchOf(name, index)),
          atOnce
        )
        const { items } = yield* portfolios.list(organisationId, {}, everything)
        assert.equal(items.length, 2, "each is stored once")
        for (const [index, answer] of answers.entries()) {
          assert.deepEqual(answer, index % 2 === 0 ? items : items.toReversed(), "every answer is what is stored")
        }
      })
    )
  }
]
