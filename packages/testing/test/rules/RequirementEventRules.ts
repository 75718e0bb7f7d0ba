import { requirementListRecords } from "@solar-sites/core"
import { Effect } from "effect"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { asCallerOf, type EventPorts, expectEvents, expectNoEvent } from "../../src/conformance/EventSetup.ts"
import { needs, requirementsUpdated as updated } from "../../src/conformance/RequirementSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio } from "../../src/conformance/Setup.ts"
import { anOrganisationId } from "../../src/fixtures.ts"

const at = changedAt

export const requirementEventCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "writes the old and the new list of requirements",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
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
      const { replace } = yield* requirementListRecords
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
  }
]
