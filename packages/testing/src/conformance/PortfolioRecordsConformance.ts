/**
 * Totals of portfolios.
 */

import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { siteMethods } from "./Methods.ts"
import { currentPortfolio, insertOrganisation, insertPortfolio, type RecordPorts } from "./Setup.ts"

export const portfolioRecordsCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "sums capacities as decimals",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const total = Effect.map(currentPortfolio(portfolio), (now) => now?.capacityKw)
      assert.equal(yield* total, 0, "an empty portfolio")
      for (const [capacity, unit, sum] of [
        [0.1, "kW", 0.1],
        [0.2, "kW", 0.3],
        [1e9, "GW", 1e15 + 0.3],
        [123_456.789_012_345, "W", 1e15 + 123.756_789_012_345]
      ] as const) {
        yield* sites.insert(organisationId, aSite({ organisationId, capacity, unit, portfolioId: portfolio.id }))
        assert.equal(yield* total, sum, `after ${capacity} ${unit}`)
      }
    })
  }
]
