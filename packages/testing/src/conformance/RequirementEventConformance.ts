/**
 * Events of the changes of requirements: exactly one per change of the list, none of refusals.
 */
import {
  type DocumentRequirement,
  type OrganisationId,
  PortfolioRepository,
  RequirementRepository
} from "@solar-sites/core"
import { Effect } from "effect"
import { anOrganisationId, aPortfolio } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  asCallerOf,
  type EventPorts,
  type ExpectedEvent,
  expectEvents,
  expectNoEvent,
  storedEvents
} from "./EventSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio } from "./Setup.ts"

const at = changedAt

const needs = (
  documentType: DocumentRequirement["documentType"],
  overrides?: Partial<DocumentRequirement>
): DocumentRequirement => ({
  documentType,
  validityRequired: false,
  portfolioId: null,
  expiringWithinDays: 30,
  ...overrides
})

type List = ReadonlyArray<DocumentRequirement>

const updated = (id: OrganisationId, from: List, to: List): ExpectedEvent => ({
  type: "requirements.updated",
  siteId: null,
  subject: { id, name: null },
  changes: { requirements: { from, to } }
})

export const requirementEventCases: ReadonlyArray<ConformanceCase<EventPorts | RequirementRepository>> = [
  {
    name: "writes the old and the new list of requirements",
    check: Effect.gen(function* () {
      const { replace } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const first = [needs("epc"), needs("insurance", { validityRequired: true, expiringWithinDays: 1 })]
      const second = [needs("epc", { portfolioId, validityRequired: true, expiringWithinDays: 365 }), ...first]
      const caller = asCallerOf(organisationId)(replace(organisationId, first, { at }))
      yield* expectEvents(organisationId, caller.ran, [{ ...updated(organisationId, [], first), ...caller.origin }])
      yield* expectEvents(organisationId, replace(organisationId, second, { at }), [
        updated(organisationId, first, second)
      ])
      const turned = second.toReversed()
      yield* expectEvents(organisationId, replace(organisationId, turned, { at }), [
        updated(organisationId, second, turned)
      ])
      yield* expectEvents(organisationId, replace(organisationId, [], { at }), [updated(organisationId, turned, [])])
    })
  },
  {
    name: "writes no event for requirements that are refused or equal",
    check: Effect.gen(function* () {
      const { replace } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(yield* insertOrganisation())
      const list = [needs("epc"), needs("insurance")]
      yield* expectNoEvent(organisationId, replace(organisationId, [], { at }))
      yield* replace(organisationId, list, { at })
      yield* expectNoEvent(organisationId, replace(organisationId, list, { at }))
      yield* expectNoEvent(organisationId, replace(organisationId, [], { at, expectedVersions: [7] }))
      yield* expectNoEvent(organisationId, replace(organisationId, [needs("epc", { portfolioId })], { at }))
      const nowhere = anOrganisationId()
      yield* expectNoEvent(nowhere, replace(nowhere, list, { at }))
    })
  },
  {
    name: "writes the requirements that are removed with their portfolio, and only then",
    check: Effect.gen(function* () {
      const [{ replace }, portfolios] = [yield* RequirementRepository, yield* PortfolioRepository]
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
      const [{ find, replace }, portfolios] = [yield* RequirementRepository, yield* PortfolioRepository]
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
