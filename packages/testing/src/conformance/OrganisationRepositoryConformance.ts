/**
 * Promises of every `OrganisationRepository`.
 */
import { OrganisationRepository } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anOrganisation, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { failed, fetchPages } from "./Expectations.ts"
import { organisationFailures } from "./FailureConformance.ts"
import { hostileTexts, updateOrganisation } from "./Setup.ts"

export const organisationRepositoryConformance: ConformanceSuite<OrganisationRepository> = {
  port: "OrganisationRepository",
  failures: organisationFailures,
  cases: [
    {
      name: "finds an inserted organisation unchanged",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const inserted = [anOrganisation(), anOrganisation({ status: "inactive" })]
        for (const organisation of inserted) yield* organisations.insert(organisation)
        for (const organisation of inserted) {
          assert.deepEqual(yield* organisations.findById(organisation.id), Option.some(organisation))
        }
      })
    },
    {
      name: "keeps names exactly as they are",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        for (const name of [...hostileTexts, "𝔸".repeat(200)]) {
          const organisation = anOrganisation({ name })
          yield* organisations.insert(organisation)
          assert.deepEqual(yield* organisations.findById(organisation.id), Option.some(organisation))
          const renamed = { name: `${[...name].slice(0, 199).join("")}!` }
          assert.deepEqual(
            yield* updateOrganisation(organisation.id, renamed),
            Option.some(anOrganisation({ ...organisation, ...renamed }))
          )
        }
      })
    },
    {
      name: "finds and updates nothing where there is nothing",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const absent = anOrganisationId()
        assert.deepEqual(yield* organisations.findById(absent), Option.none())
        assert.deepEqual(yield* updateOrganisation(absent, { name: "Ghost" }), Option.none())
        assert.deepEqual(yield* organisations.findById(absent), Option.none(), "an update creates nothing")
      })
    },
    {
      name: "deletes an organisation, and no other one; one that is not there is deleted already",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const [organisation, other] = [anOrganisation(), anOrganisation()]
        for (const one of [organisation, other]) yield* organisations.insert(one)
        assert.equal(yield* organisations.delete(organisation.id), true)
        assert.deepEqual(yield* organisations.findById(organisation.id), Option.none())
        assert.deepEqual(yield* updateOrganisation(organisation.id, { name: "Ghost" }), Option.none())
        assert.deepEqual(yield* organisations.findById(other.id), Option.some(other), "another one")
        assert.equal(yield* organisations.delete(organisation.id), true, "once more")
        assert.equal(yield* organisations.delete(anOrganisationId()), true, "one that never was")
        yield* organisations.insert(organisation)
        assert.deepEqual(yield* organisations.findById(organisation.id), Option.some(organisation), "stored again")
      })
    },
    {
      name: "refuses a duplicate organisation",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const first = anOrganisation()
        yield* organisations.insert(first)
        yield* failed(organisations.insert(anOrganisation({ id: first.id, name: "Second" })), "an id that is taken")
        assert.deepEqual(yield* organisations.findById(first.id), Option.some(first), "the first one stays as it was")
      })
    },
    {
      name: "sets the members that are given and keeps the others",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const organisation = anOrganisation({ name: "Before" })
        const bystander = anOrganisation()
        yield* organisations.insert(organisation)
        yield* organisations.insert(bystander)
        let expected = organisation
        for (const changes of [
          { name: "After" },
          { status: "inactive" },
          {},
          { name: "Again", status: "active" }
        ] as const) {
          expected = anOrganisation({ ...expected, ...changes })
          const updated = yield* updateOrganisation(organisation.id, changes)
          assert.deepEqual(updated, Option.some(expected), "an update answers the result")
          assert.deepEqual(yield* organisations.findById(organisation.id), updated, "the answer is what is stored")
        }
        assert.deepEqual(
          yield* organisations.findById(bystander.id),
          Option.some(bystander),
          "others stay as they were"
        )
      })
    },
    {
      name: "loses neither of two concurrent updates",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const organisation = anOrganisation()
        yield* organisations.insert(organisation)
        const changes = [{ name: "Renamed" }, { status: "inactive" }] as const
        yield* Effect.forEach(changes, (change) => updateOrganisation(organisation.id, change), {
          concurrency: "unbounded"
        })
        const expected = anOrganisation({ ...organisation, name: "Renamed", status: "inactive" })
        assert.deepEqual(yield* organisations.findById(organisation.id), Option.some(expected))
      })
    },
    {
      name: "lists every organisation once, in ascending order of id, in pages of any size",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const [before, ...own] = Array.from({ length: 5 }, () => anOrganisation())
        for (const organisation of [...own].reverse()) yield* organisations.insert(organisation)
        const ids = new Set(own.map(({ id }) => id))
        for (const [limit, after] of [
          [1, before?.id],
          [2, before?.id],
          [1_000, null]
        ] as const) {
          // Other cases can insert organisations, so only those of this case count.
          const pages = yield* fetchPages(organisations.list, limit, after)
          assert.deepEqual(
            pages.flat().filter(({ id }) => ids.has(id)),
            own,
            `each organisation once, with a limit of ${limit}`
          )
        }
      })
    }
  ]
}
