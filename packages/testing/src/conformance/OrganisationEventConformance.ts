/**
 * Events of the changes of organisations. Applies when one adapter stores events and organisations,
 * not with organisations of a host.
 */
import { type Event, EventRepository, type OrganisationId, type OrganisationRepository } from "@solar-sites/core"
import { Effect } from "effect"
import { anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { asCallerOf, type ExpectedEvent, expectEvents, expectNoEvent, storedEvents } from "./EventSetup.ts"
import { insertOrganisation, updateOrganisation } from "./Setup.ts"

const ofOrganisation = (id: OrganisationId, name: string, changes: Event["changes"]): ExpectedEvent => ({
  type: "organisation.updated",
  siteId: null,
  subject: { id, name },
  changes
})

export const organisationEventConformance: ConformanceSuite<EventRepository | OrganisationRepository> = {
  port: "OrganisationRepository.update",
  cases: [
    {
      name: "writes the name and the status of an organisation that change, and nothing for equal ones",
      check: Effect.gen(function* () {
        const id = yield* insertOrganisation({ name: "First" })
        yield* expectEvents(id, Effect.void, [])
        const renaming = asCallerOf(id)(updateOrganisation(id, { name: "Second" }))
        yield* expectEvents(id, renaming.ran, [
          { ...ofOrganisation(id, "Second", { name: { from: "First", to: "Second" } }), ...renaming.origin }
        ])
        yield* expectEvents(id, updateOrganisation(id, { name: "Second", status: "inactive" }), [
          ofOrganisation(id, "Second", { status: { from: "active", to: "inactive" } })
        ])
        yield* expectEvents(id, updateOrganisation(id, { name: "Third", status: "active" }), [
          ofOrganisation(id, "Third", {
            name: { from: "Second", to: "Third" },
            status: { from: "inactive", to: "active" }
          })
        ])
        yield* expectNoEvent(id, updateOrganisation(id, {}))
        yield* expectNoEvent(id, updateOrganisation(id, { name: "Third", status: "active" }))
        const nowhere = anOrganisationId()
        yield* expectNoEvent(nowhere, updateOrganisation(nowhere, { name: "Fourth" }))
      })
    },
    {
      name: "writes the events of each organisation by itself, and never a caller of another one as the actor",
      check: Effect.gen(function* () {
        const events = yield* EventRepository
        const [id, other] = [yield* insertOrganisation({ name: "First" }), yield* insertOrganisation()]
        const { ran } = asCallerOf(other)(updateOrganisation(id, { name: "Second" }))
        yield* expectEvents(id, ran, [ofOrganisation(id, "Second", { name: { from: "First", to: "Second" } })])
        assert.deepEqual(yield* storedEvents(other), [], "the other organisation has no event")
        const page = yield* events.list(other, { subjectId: id }, { after: null, limit: 10, order: "asc" })
        assert.deepEqual(page.items, [], "its events are not found by their subject either")
      })
    }
  ]
}
