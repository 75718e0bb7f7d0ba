import { assert, describe, it } from "@effect/vitest"
import {
  CalendarDate,
  Caller,
  Coverage,
  CurrentCaller,
  OrganisationRepository,
  RequirementRepository,
  requirementListRecords
} from "@solar-sites/core"
import { anOrganisation, aRequirement, aSite, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { type Database, onPglite, onPostgres, withoutPostgres } from "./Databases.ts"

const asOf = CalendarDate.make("2026-11-22")
const at = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
const count = 4_100

/** No site has a document, and one statement examines fewer sites than there are. */
const oneOfMany = Effect.fnUntraced(function* (ports: Database) {
  yield* Effect.gen(function* () {
    const organisation = anOrganisation()
    const { id: organisationId } = organisation
    yield* (yield* OrganisationRepository).insert(organisation)
    const sites = Array.from({ length: count }, () => aSite({ organisationId }))
    const { insert } = yield* siteMethods
    yield* Effect.forEach(sites, (site) => insert(organisationId, site), { concurrency: "unbounded" })
    const repository = yield* RequirementRepository
    yield* (yield* requirementListRecords).replace(organisationId, [aRequirement()], { at })
    const ids = sites.map(({ id }) => id)

    const { items, next } = yield* repository.listCoverage(
      organisationId,
      { asOf, state: "valid" },
      { after: null, limit: 10 }
    )
    assert.deepStrictEqual([items, next], [[], ids[1_999]], "a statement ends after 2,000 sites")

    const caller = new Caller({ organisationId, userId: null, apiKeyId: null })
    const coverage = yield* Coverage
    yield* Effect.gen(function* () {
      assert.deepStrictEqual(yield* coverage.list({ state: "valid", limit: 1 }), { data: [], nextCursor: null })
      const all = yield* coverage.list({ state: "missing" })
      assert.deepStrictEqual(
        all.data.map(({ siteId }) => siteId),
        ids
      )
      const query = { documentType: "insurance" } as const
      const first = yield* coverage.list({ ...query, limit: 1_000 })
      assert.lengthOf(first.data, 1_000)
      const rest = yield* coverage.list({ ...query, ...(first.nextCursor && { cursor: first.nextCursor }) })
      assert.deepStrictEqual(
        [...first.data, ...rest.data].map(({ siteId }) => siteId),
        ids
      )
    }).pipe(Effect.provideService(CurrentCaller, caller))
  }).pipe(Effect.provide(Layer.provideMerge(Coverage.layer, Layer.succeedContext(ports))))
})

describe("the coverage of more sites than one statement examines", () => {
  it.live.skipIf(withoutPostgres)("is complete", () =>
    Effect.flatMap(onPostgres({ queryTimeout: "30 seconds" }), oneOfMany)
  )

  it.live("is so in an embedded database too", () => Effect.flatMap(onPglite(), oneOfMany))
})
