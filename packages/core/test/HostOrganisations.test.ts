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
  Records,
  RepositoryError,
  Sites,
  SolarSitesServices,
  siteKind
} from "@solar-sites/core"
import {
  anOrganisation,
  anOrganisationId,
  apiKeyStoreConformance,
  aSite,
  MemoryAdapters,
  MemoryDatabase,
  MemoryOrganisationRepository,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  runConformance,
  siteMethods,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Effect, Layer, Option } from "effect"
import { organisationReference } from "../src/records/OrganisationReference.ts"
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

/**
 * The repositories over memory, with some methods of the mirror replaced. The host adds what it
 * deletes to the list.
 */
const mirroredBy = (
  deleted: Array<string>,
  replace: (mirror: OrganisationRepository["Service"]) => Partial<OrganisationRepository["Service"]>
) => {
  const host = Layer.mock(OrganisationRepository, {
    findById: (id) => Effect.succeedSome(anOrganisation({ id })),
    delete: (id) => Effect.sync(() => deleted.push(`host ${id}`) > 0)
  })
  const mirror = Layer.effect(
    OrganisationRepository,
    Effect.map(OrganisationRepository, (intact) => ({ ...intact, ...replace(intact) }))
  )
  return HostOrganisations.layer(host).pipe(Layer.provideMerge(mirror), Layer.provideMerge(MemoryAdapters.layer))
}

describe("the mirror of an organisation", () => {
  const insertSite = (organisationId: Organisation["id"]) =>
    Effect.flatMap(siteMethods, ({ insert }) => insert(organisationId, aSite({ organisationId })))

  it.effect("is looked up by its own id when its insert fails", () => {
    const [stored, missing] = [anOrganisation().id, anOrganisation().id]
    const lost = new RepositoryError({ operation: "OrganisationRepository.insert", retryable: true, cause: "lost" })
    return Effect.gen(function* () {
      yield* insertSite(stored)
      assert.strictEqual(yield* Effect.flip(insertSite(missing)), lost)
    }).pipe(
      Effect.provide(
        mirroredBy([], ({ insert }) => ({
          insert: (organisation) =>
            Effect.andThen(organisation.id === stored ? insert(organisation) : Effect.void, Effect.fail(lost))
        }))
      )
    )
  })

  it.effect("is made when a rule looks for its organisation, and by no other load", () => {
    const inserted: Array<string> = []
    const { id } = anOrganisation()
    return Effect.gen(function* () {
      const { load } = yield* Records
      yield* load("test", id, [{ kind: siteKind, by: "id", values: [aSite().id] }])
      assert.deepStrictEqual(inserted, [])
      const finds = [{ kind: organisationReference, by: "id", values: [id] }]
      for (const found of [yield* load("test", id, finds), yield* load("test", id, finds)]) {
        assert.strictEqual(found.byId(organisationReference, id)?.record.id, id)
      }
      assert.deepStrictEqual(inserted, [id])
      yield* insertSite(id)
      assert.deepStrictEqual(inserted, [id], "a creation that finds the mirror makes no other one")
    }).pipe(
      Effect.provide(
        mirroredBy([], ({ insert }) => ({
          insert: (organisation) =>
            Effect.andThen(
              Effect.sync(() => inserted.push(organisation.id)),
              insert(organisation)
            )
        }))
      )
    )
  })

  it.effect("is deleted with its organisation", () => {
    const deleted: Array<string> = []
    const organisations = [anOrganisation().id, anOrganisation().id]
    return Effect.gen(function* () {
      const repository = yield* OrganisationRepository
      for (const id of organisations) assert.isTrue(yield* repository.delete(id))
      assert.deepStrictEqual(
        deleted,
        organisations.flatMap((id) => [`host ${id}`, `mirror ${id}`])
      )
    }).pipe(
      Effect.provide(
        mirroredBy(deleted, () => ({ delete: (id) => Effect.sync(() => deleted.push(`mirror ${id}`) > 0) }))
      )
    )
  })
})
