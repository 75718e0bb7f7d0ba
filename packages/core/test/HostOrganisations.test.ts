import { assert, describe, it } from "@effect/vitest"
import {
  AccessChanges,
  ApiKeys,
  Caller,
  CurrentCaller,
  HostOrganisations,
  Organisation,
  OrganisationRepository,
  Organisations,
  Portfolios,
  RepositoryError,
  Sites,
  SolarSitesServices
} from "@solar-sites/core"
import {
  anOrganisation,
  anOrganisationId,
  apiKeyStoreConformance,
  MemoryAdapters,
  MemoryDatabase,
  MemoryOrganisationRepository,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  runConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Effect, Layer, Option } from "effect"
import { as, outcome } from "./services.ts"

/** Companies as a host may keep them; nothing is ever written there through the port. */
const aHost = () => {
  const companies = new Map<string, Organisation>()
  const repository = Layer.succeed(OrganisationRepository, {
    findById: (id) => Effect.sync(() => Option.fromUndefinedOr(companies.get(id))),
    list: () => Effect.sync(() => ({ items: [...companies.values()], hasMore: false })),
    insert: () => Effect.die("the host makes its companies itself"),
    update: (id) => Effect.sync(() => Option.fromUndefinedOr(companies.get(id))),
    delete: (id) => Effect.sync(() => companies.delete(id) || true)
  })
  const services = SolarSitesServices.layer.pipe(
    Layer.provideMerge(HostOrganisations.layer(repository)),
    Layer.provideMerge(MemoryAdapters.layer)
  )
  const join = (company = anOrganisation()) => {
    companies.set(company.id, company)
    return new Caller({ organisationId: company.id, userId: null, apiKeyId: null })
  }
  return { companies, join, services }
}

const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const

describe("organisations of the host", () => {
  const { companies, join, services } = aHost()

  it.layer(services)((it) => {
    it.effect("own what is stored for them, whatever comes first", () =>
      Effect.gen(function* () {
        const [bySite, byPortfolio, byKey] = [join(), join(), join()]
        const site = yield* as(bySite)((yield* Sites).create(newSite))
        assert.strictEqual(site.organisationId, bySite.organisationId)
        const portfolio = yield* as(byPortfolio)((yield* Portfolios).create({ name: "South" }))
        assert.strictEqual(portfolio.organisationId, byPortfolio.organisationId)
        const { apiKey } = yield* as(byKey)((yield* ApiKeys).create({ name: "Reporting" }))
        assert.strictEqual(apiKey.organisationId, byKey.organisationId)
        assert.deepStrictEqual((yield* as(join())((yield* Sites).list())).data, [])
      })
    )

    it.effect("can be introduced by several at once", () =>
      Effect.gen(function* () {
        const caller = join()
        const { create, list } = yield* Sites
        const creating = Array.from({ length: 20 }, () => create(newSite))
        yield* as(caller)(Effect.all(creating, { concurrency: "unbounded" }))
        assert.strictEqual((yield* as(caller)(list())).data.length, 20)
      })
    )

    it.effect("do not include organisations that the host does not have", () =>
      Effect.gen(function* () {
        const nobody = new Caller({ organisationId: anOrganisationId(), userId: null, apiKeyId: null })
        const outcomes = [
          yield* as(nobody)(outcome((yield* Sites).create(newSite))),
          yield* as(nobody)(outcome((yield* Portfolios).create({ name: "South" }))),
          yield* as(nobody)(outcome((yield* ApiKeys).create({ name: "Reporting" })))
        ]
        for (const refusal of outcomes) assert.strictEqual(refusal, "OrganisationNotFound")
      })
    )

    it.effect("say who they are by now, and whose keys open something", () =>
      Effect.gen(function* () {
        const caller = join()
        const { authenticate, create } = yield* ApiKeys
        const { secret } = yield* as(caller)(create({ name: "Reporting" }))
        const change = (company: Organisation | null) => {
          if (company === null) companies.delete(caller.organisationId)
          else companies.set(company.id, company)
          return Effect.flatMap(AccessChanges, ({ publish }) => publish({ organisationId: caller.organisationId }))
        }
        assert.strictEqual((yield* authenticate(secret)).organisationId, caller.organisationId)

        const renamed = anOrganisation({ id: caller.organisationId, name: "Renamed", status: "inactive" })
        yield* change(renamed)
        assert.deepStrictEqual(yield* (yield* Organisations).get(caller.organisationId), renamed)
        assert.strictEqual(yield* outcome(authenticate(secret)), "OrganisationInactive")
        yield* change(null)
        assert.strictEqual(yield* outcome(authenticate(secret)), "OrganisationMissing")
        yield* change(new Organisation({ ...renamed, status: "active" }))
        assert.strictEqual(yield* outcome(authenticate(secret)), "accepted")
      })
    )
  })
})

describe("the ports over organisations of the host", () => {
  const companies = Layer.fresh(MemoryOrganisationRepository.layer.pipe(Layer.provide(MemoryDatabase.layer)))
  const layer = HostOrganisations.layer(companies).pipe(Layer.provideMerge(MemoryAdapters.layer))
  const adapter = { name: "with a host", layer }
  runConformance({ describe, it }, organisationRepositoryConformance, adapter)
  runConformance({ describe, it }, siteRepositoryConformance, adapter)
  runConformance({ describe, it }, portfolioRepositoryConformance, adapter)
  runConformance({ describe, it }, apiKeyStoreConformance, adapter)
})

describe("an organisation that cannot be introduced", () => {
  it.effect("says why", () =>
    Effect.gen(function* () {
      const company = anOrganisation()
      const lost = new RepositoryError({ operation: "OrganisationRepository.insert", retryable: true, cause: "lost" })
      const repository = Layer.mock(OrganisationRepository, { findById: () => Effect.succeedSome(company) })
      const broken = Layer.effect(
        OrganisationRepository,
        Effect.map(OrganisationRepository, (organisations) => ({
          ...organisations,
          insert: () => Effect.fail(lost)
        }))
      )
      const services = SolarSitesServices.layer.pipe(
        Layer.provideMerge(HostOrganisations.layer(repository)),
        Layer.provideMerge(broken),
        Layer.provideMerge(MemoryAdapters.layer)
      )
      const caller = new Caller({ organisationId: company.id, userId: null, apiKeyId: null })
      const created = Effect.flatMap(Sites, (sites) => sites.create(newSite)).pipe(
        Effect.provideService(CurrentCaller, caller),
        Effect.provide(services)
      )
      assert.strictEqual(yield* Effect.flip(created), lost)
    })
  )
})
