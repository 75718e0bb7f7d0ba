import { requirementListRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { asCallerOf, type EventPorts, expectEvents, storedEvents } from "./EventSetup.ts"
import { portfolioMethods } from "./Methods.ts"
import { needs, requirementsUpdated as updated } from "./RequirementSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio } from "./Setup.ts"

const at = changedAt

export const requirementEventCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "writes the requirements that are removed with their portfolio, and only then",
    check: Effect.gen(function* () {
      const [{ replace }, portfolios] = [yield* requirementListRecords, yield* portfolioMethods]
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const [other, unused] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const list = [
        needs("epc", { portfolioId: portfolio.id }),
        needs("insurance"),
        needs("epc", { portfolioId: other.id })
      ]
      yield* replace(organisationId, list, { at })
      const caller = asCallerOf(organisationId)(portfolios.delete(organisationId, portfolio.id, { at }))
      const expected = { ...updated(organisationId, list, list.slice(1)), ...caller.origin }
      yield* expectEvents(organisationId, caller.ran, [expected], "requirements")
      yield* expectEvents(organisationId, portfolios.delete(organisationId, unused.id, { at }), [], "requirements")
      yield* expectEvents(
        organisationId,
        Effect.exit(portfolios.delete(organisationId, aPortfolio().id, { at })),
        [],
        "requirements"
      )
      yield* expectEvents(
        organisationId,
        portfolios.delete(organisationId, other.id, { at }),
        [updated(organisationId, list.slice(1), list.slice(1, 2))],
        "requirements"
      )
    })
  },
  {
    name: "writes every list between concurrent deletions of portfolios",
    check: Effect.gen(function* () {
      const [{ find, replace }, portfolios] = [yield* requirementListRecords, yield* portfolioMethods]
      const organisationId = yield* insertOrganisation()
      const deleted = yield* Effect.all(Array.from({ length: 4 }, () => insertPortfolio(organisationId)))
      yield* replace(
        organisationId,
        deleted.map(({ id }) => needs("epc", { portfolioId: id })),
        { at }
      )
      yield* Effect.forEach(deleted, ({ id }) => portfolios.delete(organisationId, id, { at }), {
        concurrency: "unbounded"
      })
      const events = (yield* storedEvents(organisationId)).filter(({ type }) => type === "requirements.updated")
      const lists = events.map(({ changes }) => changes["requirements"])
      assert.deepEqual(
        lists.slice(1).map((list) => list?.from),
        lists.slice(0, -1).map((list) => list?.to)
      )
      assert.deepEqual(lists.at(-1)?.to, (yield* find(organisationId)).requirements)
    })
  }
]
