/**
 * Calls every method of every port of the adapter, with every combination of conditions that has its
 * own statement, and every list of limited callers.
 */
import {
  type ApiKeyId,
  CalendarDate,
  type DocumentConditions,
  type DocumentId,
  DocumentMaintenance,
  type EventConditions,
  EventRepository,
  eventOrigins,
  IdempotencyStore,
  OmRecordId,
  type OrganisationId,
  OrganisationRepository,
  type PageRequest,
  type PortfolioId,
  type RepositoryError,
  RequirementRepository,
  requirementListRecords,
  type SiteConditions,
  type SiteId
} from "@solar-sites/core"
import {
  aDocument,
  anApiKey,
  anApiKeyDigest,
  anOrganisation,
  aPortfolio,
  apiKeyMethods,
  aRequirement,
  aSite,
  documentMethods,
  portfolioMethods,
  siteMethods
} from "@solar-sites/testing"
import { DateTime, Duration, Effect } from "effect"
import { limitedLists } from "./EveryLimitedList.ts"
import { webhooks } from "./EveryWebhookMethod.ts"

const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const later = DateTime.addDuration(at, Duration.minutes(1))

/** The first page, and the page after its first item. */
const twoPages = <Id extends string>(
  list: (
    page: PageRequest<Id>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<{ readonly id: Id }> }, RepositoryError>
) => Effect.flatMap(list({ after: null, limit: 50 }), ({ items }) => list({ after: items[0]?.id ?? null, limit: 50 }))

const sitesAndPortfolios = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const sites = yield* siteMethods
  const portfolios = yield* portfolioMethods
  const [first, second] = [aPortfolio({ organisationId }), aPortfolio({ organisationId })]
  yield* portfolios.insertMany(organisationId, [first, second])
  const site = aSite({ organisationId, portfolioId: first.id })
  yield* sites.insert(organisationId, site)
  yield* Effect.all([sites.findById(organisationId, site.id), sites.idsByExternalId(organisationId, ["A-1"])])
  const saved = aSite({ organisationId, portfolioId: first.id, externalId: "S-2" })
  yield* sites.saveMany(organisationId, [{ site: saved, changes: { externalId: "S-2" } }], { at, dryRun: false })
  const both = { portfolioId: first.id, siteId: site.id }
  for (const conditions of [{}, { portfolioId: first.id }, { siteId: site.id }, both]) {
    yield* twoPages<SiteId>((page) => sites.list(organisationId, conditions, page))
  }
  const health = { is: "missing", asOf: CalendarDate.make("2026-11-22") } as const
  const [inFirst, inNone] = [{ portfolioId: first.id }, { portfolioId: null }]
  for (const conditions of [{ health }, inNone, { ...inNone, health }, { q: "long meadow", ...inFirst, health }]) {
    yield* twoPages<SiteId>((page) => sites.list(organisationId, conditions, page))
  }
  const conditions = { q: "long meadow", tag: ["roof"], updatedAfter: at }
  const more: ReadonlyArray<SiteConditions> = [
    {},
    { q: "long meadow" },
    { externalId: "S-1" },
    { ...conditions, siteId: site.id },
    { ...conditions, portfolioId: first.id }
  ]
  for (const by of ["createdAt", "siteName", "updatedAt", "capacityKw"] as const) {
    for (const conditions of more) {
      const sort = { by, order: "desc", value: by === "siteName" ? "long meadow" : 1 } as const
      yield* twoPages<SiteId>((page) => sites.list(organisationId, conditions, { ...page, sort }))
    }
  }
  const within = { west: 11, south: 48, east: 11.2, north: 48.2 }
  const { q, unit } = { q: "long meadow", unit: "kWp" as const }
  for (const one of [{}, inFirst, inNone, { unit }, { q }, { q, unit }, conditions, { health }, { q, health }]) {
    yield* sites.clusters(organisationId, one)
    yield* sites.clusters(organisationId, { ...one, within })
  }
  yield* sites.update(
    organisationId,
    site.id,
    { siteName: "Other", portfolioId: second.id },
    { at, expectedVersions: [1] }
  )
  yield* portfolios.findById(organisationId, first.id)
  for (const conditions of [{}, { q: "south" }, { externalId: "P-1" }, { updatedAfter: at }]) {
    yield* twoPages<PortfolioId>((page) => portfolios.list(organisationId, conditions, page))
  }
  const [last] = (yield* portfolios.listWithSites(organisationId, { after: null, limit: 50 })).items
  const portfolioId = last?.portfolioId ?? first.id
  const siteId = last?.sites.at(-1)?.id ?? site.id
  yield* portfolios.listWithSites(organisationId, { after: { portfolioId, siteId: null }, limit: 50 })
  yield* portfolios.listWithSites(organisationId, { after: { portfolioId, siteId }, limit: 50 })
  yield* portfolios.update(organisationId, first.id, { name: "Other" }, { at })
  yield* portfolios.addSites(organisationId, first.id, [site.id], { at })
  yield* portfolios.removeSites(organisationId, first.id, [site.id], { at })
  yield* portfolios.delete(organisationId, first.id, { at, expectedVersions: [2] })
  yield* sites.delete(organisationId, site.id)
})

const documents = Effect.fnUntraced(function* (organisationId: OrganisationId, claims: number) {
  const repository = yield* documentMethods
  const site = aSite({ organisationId })
  yield* (yield* siteMethods).insert(organisationId, site)
  const document = aDocument({ organisationId, siteId: site.id, type: "coverImage" })
  yield* repository.insertMany(organisationId, site.id, [document], later)
  yield* repository.findById(organisationId, document.id)
  yield* repository.findExisting(organisationId, [document.id])
  const all: ReadonlyArray<DocumentConditions> = [
    {},
    { siteId: site.id },
    { omRecordId: OmRecordId.make("record-1") },
    { q: "handover", updatedAfter: at, current: true, siteId: site.id }
  ]
  for (const conditions of all) {
    yield* twoPages<DocumentId>((page) => repository.list(organisationId, conditions, page))
  }
  yield* repository.step(organisationId, document.id, { to: "failed", failureReason: "late" }, { at })
  yield* repository.claimFile(organisationId, document.path, { now: at, until: later })
  yield* repository.reopen(organisationId, document.id, { at, addressExpiresAt: later, claimedUntil: later })
  yield* repository.step(organisationId, document.id, { to: "uploaded", sizeBytes: 1 }, { at })
  const revision = aDocument({ organisationId, siteId: site.id, replaces: document.id })
  yield* repository.insertMany(organisationId, site.id, [revision], later)
  yield* repository.update(organisationId, revision.id, { note: "Other" }, { at })
  yield* repository.step(organisationId, revision.id, { to: "uploaded" }, { at })
  yield* repository.listRevisions(organisationId, document.id, { after: null, limit: 1 })
  yield* repository.listRevisions(organisationId, document.id, { after: revision.id, limit: 1 })
  yield* repository.delete(organisationId, document.id, { at })

  const maintenance = yield* DocumentMaintenance
  const claim = { now: at, dueAgainAt: later, limit: claims }
  yield* maintenance.findDue({ now: at, limit: 200 })
  yield* maintenance.claimPending(organisationId, claim)
  const keys = yield* maintenance.claimDeleted(organisationId, claim)
  yield* maintenance.forgetDeleted(organisationId, keys, {
    now: later,
    claimedUntil: later,
    uploadsEndAfter: Duration.minutes(15)
  })
  const [today, until] = [CalendarDate.make("2026-11-22"), CalendarDate.make("2026-12-22")]
  yield* maintenance.findEnding({ today, notice: 30, after: null, limit: 200 })
  yield* maintenance.findEnding({ today, notice: 30, after: organisationId, limit: 200 })
  const ending = { today, until, untilOf: { insurance: today } }
  const { items } = yield* maintenance.listEnding(organisationId, ending, { after: null, limit: 1 })
  yield* maintenance.listEnding(organisationId, ending, { after: items[0] ?? null, limit: 200 })
})

const requirements = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const repository = yield* RequirementRepository
  const { find, replace } = yield* requirementListRecords
  const { requirements: stored } = yield* find(organisationId)
  const portfolio = aPortfolio({ organisationId })
  yield* (yield* portfolioMethods).insertMany(organisationId, [portfolio])
  yield* replace(organisationId, [aRequirement({ portfolioId: portfolio.id }), ...stored.slice(1)], { at })
  const asOf = CalendarDate.make("2026-11-22")
  const portfolioId = stored.at(-1)?.portfolioId ?? portfolio.id
  const page = { after: null, limit: 100 }
  const [site] = (yield* repository.listCoverage(organisationId, { asOf, portfolioId }, page)).items
  const { siteId } = site ?? { siteId: aSite().id }
  for (const conditions of [{}, { portfolioId }, { siteId }, { siteId, portfolioId }, { state: "expired" as const }]) {
    yield* repository.listCoverage(organisationId, { ...conditions, asOf }, page)
    yield* repository.listCoverage(organisationId, { ...conditions, asOf }, { ...page, after: siteId })
  }
  yield* repository.summariseCoverage(organisationId, { asOf })
  yield* repository.summariseCoverage(organisationId, { asOf, portfolioId })
})

const access = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const organisations = yield* OrganisationRepository
  const organisation = anOrganisation()
  yield* organisations.insert(organisation)
  yield* organisations.findById(organisation.id)
  yield* twoPages<OrganisationId>((page) => organisations.list(page))
  yield* organisations.update(organisation.id, { status: "inactive" }, yield* (yield* eventOrigins)(organisation.id))
  yield* organisations.delete(organisation.id)

  const store = yield* apiKeyMethods
  const [apiKey, replacement] = [anApiKey({ organisationId }), anApiKey({ organisationId })]
  const digest = anApiKeyDigest()
  yield* store.insert(organisationId, apiKey, digest)
  yield* store.findAcrossOrganisations({ digest })
  yield* store.findAcrossOrganisations({ apiKeyId: apiKey.id })
  yield* store.findById(organisationId, apiKey.id)
  yield* store.findAccess(organisationId, apiKey.id)
  yield* twoPages<ApiKeyId>((page) => store.list(organisationId, page))
  yield* store.recordUses(organisationId, [{ apiKeyId: apiKey.id, usedAt: at }])
  yield* store.rotate(organisationId, apiKey.id, { replacement, digest: anApiKeyDigest(), expiresAt: later })
  // An organisation has at most 100 live keys.
  for (const { id } of [apiKey, replacement]) yield* store.delete(organisationId, id)

  const requests = yield* IdempotencyStore
  const seed = anOrganisation().id
  const idempotencyKey = { caller: "host", key: "plans" }
  const request = { fingerprint: "x", seed, now: at, leaseUntil: later, expiresAt: later }
  yield* requests.claim(organisationId, idempotencyKey, request)
  yield* requests.end(organisationId, idempotencyKey, { seed, outcome: { _tag: "Answered", answer: "{}" } })
  const [first = null] = yield* requests.findOrganisations({ after: null, limit: 10 })
  yield* requests.findOrganisations({ after: first, limit: 10 })
  yield* requests.purge(organisationId, { now: at, limit: 100, maximumBytes: 1_000_000 })
})

const events = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const repository = yield* EventRepository
  const site = aSite({ organisationId })
  yield* (yield* siteMethods).insert(organisationId, site)
  const all: ReadonlyArray<EventConditions> = [
    {},
    { type: ["site.updated"] },
    { type: ["document.*"], actorId: "user-3" },
    { subjectId: site.id },
    { siteId: site.id },
    { actorId: "user-3" },
    { actorId: site.id },
    { from: at, to: later }
  ]
  for (const conditions of all) {
    for (const order of ["asc", "desc"] as const) {
      const first = yield* repository.list(organisationId, conditions, { after: null, limit: 50, order })
      const after = first.items[0]?.sequence ?? 1
      yield* repository.list(organisationId, conditions, { after, limit: 50, order })
    }
  }
  yield* repository.findOrganisations({ before: at, after: organisationId, limit: 10 })
  yield* repository.purge(organisationId, { before: at, limit: 100 })
  yield* repository.deleteAll(anOrganisation().id, { limit: 100 })
})

/** Calls them in an organisation with data. `claims` is the limit of the sweeper. */
export const everyMethod = Effect.fnUntraced(function* (organisationId: OrganisationId, claims = 100) {
  yield* sitesAndPortfolios(organisationId)
  yield* documents(organisationId, claims)
  yield* requirements(organisationId)
  yield* access(organisationId)
  yield* webhooks(organisationId)
  yield* events(organisationId)
  yield* limitedLists(organisationId)
})
