import { describe, expect, it } from "@effect/vitest"
import {
  ApiKeys,
  type Caller,
  CurrentCaller,
  DocumentStorage,
  EventRepository,
  IdempotencyStore,
  type OrganisationId,
  OrganisationRepository,
  Organisations,
  Portfolios,
  SiteRepository,
  Sites,
  SolarSitesServices,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { aSite, aWebhook, siteMethods } from "@solar-sites/testing"
import { Context, DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { bytes, setup } from "../documents/setup.ts"
import { services } from "../services.ts"

/** An organisation with a file, two documents, a site, a portfolio and a key. */
const filled = Effect.gen(function* () {
  const one = yield* setup
  const upload = yield* one.issueOne()
  yield* one.send(upload, bytes(3))
  yield* one.documents.changeStatus(upload.documentId, { status: "uploaded" }).pipe(one.asPerson)
  yield* one.issueOne()
  const { path } = yield* one.documents.get(upload.documentId).pipe(one.asPerson)
  const portfolio = yield* (yield* Portfolios).create({ name: "South" }).pipe(one.asPerson)
  yield* (yield* Portfolios).addSites(portfolio.id, [one.site.id]).pipe(one.asPerson)
  const { secret } = yield* (yield* ApiKeys).create({ name: "Reporting" }).pipe(one.asPerson)
  const { organisationId } = one.person
  const now = yield* DateTime.now
  const request = { fingerprint: "a", seed: "b", now, leaseUntil: now, expiresAt: DateTime.add(now, { hours: 24 }) }
  yield* (yield* IdempotencyStore).claim(organisationId, { caller: "host", key: "key" }, request)
  const hasFile = Effect.map((yield* DocumentStorage).inspect(organisationId, path), Option.isSome)
  return { ...one, organisationId, secret, hasFile }
})

const counts = { documents: 2, sites: 1, portfolios: 1, apiKeys: 1 }

const sitesOf = (caller: Caller) =>
  Effect.flatMap(Sites, (sites) => Effect.provideService(sites.list(), CurrentCaller, caller))

/** Ends when it deletes the first site. */
const deleteUntilSites = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const context = yield* Effect.context<SolarSitesServices.SolarSitesPorts>()
  const sites = { ...Context.get(context, SiteRepository), delete: () => Effect.die(new Error("ended")) }
  const ending = Layer.fresh(SolarSitesServices.layer).pipe(
    Layer.provide(Layer.succeed(SiteRepository, sites)),
    Layer.provide(Layer.succeedContext(context))
  )
  yield* Effect.exit(
    Effect.provide(
      Organisations.use((them) => them.delete(organisationId)),
      ending
    )
  )
})

describe("Organisations.delete", () => {
  it.effect("removes everything that belongs to the organisation, and nothing of another one", () =>
    Effect.gen(function* () {
      const { hasFile, organisationId, secret } = yield* filled
      const other = yield* filled
      const organisations = yield* Organisations
      expect(yield* organisations.delete(organisationId)).toEqual(counts)
      expect(yield* Effect.flip(organisations.get(organisationId))).toMatchObject({ _tag: "OrganisationNotFound" })
      expect(yield* Effect.flip((yield* ApiKeys).authenticate(secret))).toMatchObject({ code: "api_key_invalid" })
      const withKeys = (yield* IdempotencyStore).findOrganisations({ after: null, limit: 9 })
      expect(yield* withKeys).toEqual([other.organisationId])
      const before = DateTime.add(yield* DateTime.now, { days: 1 })
      const withEvents = (yield* EventRepository).findOrganisations({ before, after: null, limit: 9 })
      expect(yield* withEvents).toEqual([other.organisationId])
      expect(yield* hasFile).toBe(true)
      yield* TestClock.adjust("20 seconds")
      expect(yield* hasFile).toBe(false)

      expect(yield* other.hasFile).toBe(true)
      expect((yield* sitesOf(other.person)).data).toHaveLength(1)
      yield* (yield* ApiKeys).authenticate(other.secret)
      expect(yield* Effect.flip(organisations.delete(organisationId))).toMatchObject({ _tag: "OrganisationNotFound" })
      expect(yield* organisations.delete(other.organisationId)).toEqual(counts)
      expect([yield* withEvents, yield* withKeys]).toEqual([[], []])
    }).pipe(Effect.provide(services))
  )

  it.effect("goes on where an interrupted call has ended, and lets no key in meanwhile", () =>
    Effect.gen(function* () {
      const organisations = yield* Organisations
      const { organisationId, secret } = yield* filled
      yield* deleteUntilSites(organisationId)
      expect((yield* organisations.get(organisationId)).status).toBe("inactive")
      yield* Effect.flip((yield* ApiKeys).authenticate(secret))
      expect(yield* organisations.delete(organisationId)).toEqual({ documents: 0, sites: 1, portfolios: 1, apiKeys: 0 })
    }).pipe(Effect.provide(services))
  )

  it.effect("removes the webhooks of its organisation before the contents, so that no removal is sent", () =>
    Effect.gen(function* () {
      const webhooks = yield* webhookRecords
      const all = [yield* filled, yield* filled] as const
      const numbers = Effect.forEach(all, ({ organisationId }) =>
        Effect.map(webhooks.list(organisationId, { after: null, limit: 9 }), ({ items }) => items.length)
      )
      for (const { organisationId } of all) {
        yield* webhooks.insert(organisationId, aWebhook(), WebhookSigning.fromText("whsec_"))
      }
      expect(yield* numbers).toEqual([1, 1])
      yield* deleteUntilSites(all[0].organisationId)
      expect(yield* numbers).toEqual([0, 1])
      yield* deleteUntilSites(all[1].organisationId)
      expect(yield* numbers).toEqual([0, 0])
    }).pipe(Effect.provide(services))
  )

  it.effect("takes along what a request stores that has begun before", () =>
    Effect.gen(function* () {
      const organisations = yield* Organisations
      const ids = [(yield* filled).organisationId, (yield* filled).organisationId]
      const repository = yield* OrganisationRepository
      const sites = yield* siteMethods
      const stored = new Set<OrganisationId>()
      const racing = Layer.fresh(SolarSitesServices.layer).pipe(
        Layer.provide(
          Layer.succeed(OrganisationRepository, {
            ...repository,
            delete: (id) =>
              Effect.suspend(() => {
                if (stored.has(id)) return repository.delete(id)
                stored.add(id)
                return Effect.orDie(sites.insert(id, aSite({ organisationId: id }))).pipe(
                  Effect.andThen(repository.delete(id))
                )
              })
          })
        ),
        Layer.provide(Layer.succeedContext(yield* Effect.context<SolarSitesServices.SolarSitesPorts>()))
      )
      for (const organisationId of ids) {
        const deleting = Effect.provide(
          Organisations.use((them) => them.delete(organisationId)),
          racing
        )
        const fiber = yield* Effect.forkChild(deleting)
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(fiber)).toEqual({ ...counts, sites: 2 })
        yield* Effect.flip(organisations.get(organisationId))
      }
    }).pipe(Effect.provide(services))
  )
})
