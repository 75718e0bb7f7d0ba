/**
 * Behaviour with a failing database: every method fails with `RepositoryError`, so that a failure
 * never looks like absence, an empty page or a bug.
 */
import {
  ApiKeyStore,
  CalendarDate,
  DocumentMaintenance,
  DocumentRepository,
  EventId,
  type IdempotencyOutcome,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
  Records,
  RepositoryError,
  RequirementRepository,
  Revision,
  SiteRepository,
  siteKind,
  WebhookQueue
} from "@solar-sites/core"
import { type Context, Duration, Effect } from "effect"
import {
  aDocument,
  anApiKey,
  anApiKeyDigest,
  anOrganisation,
  aPortfolio,
  aSite,
  aWebhook,
  aWebhookDelivery
} from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused } from "./Expectations.ts"
import { changedAt } from "./Setup.ts"

/** One call of every method. */
type Attempts<Service> = { readonly [Method in keyof Service]: Effect.Effect<unknown, unknown> }

const failing = <Id, Service extends object>(
  port: Context.Key<Id, Service>,
  name: string,
  attemptsOn: (service: Service) => Attempts<Service>
): ConformanceCase<Id> => ({
  name: `${name} fails with a RepositoryError in every method`,
  check: Effect.flatMap(port, (service) =>
    Effect.forEach(
      Object.entries<Effect.Effect<unknown, unknown>>(attemptsOn(service)),
      Effect.fnUntraced(function* ([method, attempt]) {
        const { operation } = yield* refused(attempt, RepositoryError, `${name}.${method}`)
        assert.equal(operation, `${name}.${method}`, "the error names the method that failed")
      }),
      { discard: true }
    )
  )
})

const page = { after: null, limit: 10 }
const at = { at: changedAt }
const asOf = CalendarDate.make("2026-11-22")
const { id: organisationId } = anOrganisation()
const site = aSite({ organisationId })
const portfolio = aPortfolio({ organisationId })
const document = aDocument({ organisationId, siteId: site.id })
const apiKey = anApiKey({ organisationId })

const origin = {
  id: EventId.make(organisationId),
  occurredAt: changedAt,
  actor: { userId: null, apiKeyId: null, keyPrefix: null },
  requestId: null
}

export const organisationFailures = [
  failing(OrganisationRepository, "OrganisationRepository", (organisations) => ({
    insert: organisations.insert(anOrganisation()),
    findById: organisations.findById(organisationId),
    list: organisations.list(page),
    update: organisations.update(organisationId, { name: "Changed" }, origin),
    delete: organisations.delete(organisationId)
  }))
]

const change = { reads: [], events: [], origin, at: changedAt }
const stored = { record: site, revision: Revision("1") }

export const recordsFailures = [
  failing(Records, "Records", ({ commit, list, load }) => ({
    load: load("Records.load", organisationId, [{ kind: siteKind, by: "id", values: [site.id] }]),
    commit: commit("Records.commit", organisationId, {
      ...change,
      writes: [{ kind: siteKind, id: site.id, before: stored, after: site }]
    }),
    list: list("Records.list", organisationId, siteKind, { page })
  }))
]

export const siteFailures = [
  failing(SiteRepository, "SiteRepository", (sites) => ({
    saveMany: sites.saveMany(organisationId, [{ site, changes: null }], { at: changedAt, dryRun: false, origin }),
    idsByExternalId: sites.idsByExternalId(organisationId, ["A-1"]),
    list: sites.list(organisationId, {}, page),
    clusters: sites.clusters(organisationId, {}),
    delete: sites.delete(organisationId, site.id, { origin })
  }))
]

export const portfolioFailures = [
  failing(PortfolioRepository, "PortfolioRepository", (portfolios) => ({
    list: portfolios.list(organisationId, {}, page),
    listWithSites: portfolios.listWithSites(organisationId, page),
    delete: portfolios.delete(organisationId, portfolio.id, { at: changedAt, origin }),
    moveSites: portfolios.moveSites(
      organisationId,
      { portfolioId: portfolio.id, siteIds: [site.id], direction: "into" },
      { at: changedAt, origin }
    )
  }))
]

export const documentFailures = [
  failing(DocumentRepository, "DocumentRepository", (documents) => ({
    list: documents.list(organisationId, {}, page),
    listRevisions: documents.listRevisions(organisationId, document.id, page)
  })),
  failing(DocumentMaintenance, "DocumentMaintenance", (maintenance) => ({
    findDue: maintenance.findDue({ now: changedAt, limit: 10 }),
    claimPending: maintenance.claimPending(organisationId, { now: changedAt, dueAgainAt: changedAt, limit: 10 }),
    claimDeleted: maintenance.claimDeleted(organisationId, { now: changedAt, dueAgainAt: changedAt, limit: 10 }),
    forgetDeleted: maintenance.forgetDeleted(organisationId, [document.path], {
      now: changedAt,
      claimedUntil: changedAt,
      uploadsEndAfter: Duration.zero
    }),
    findEnding: maintenance.findEnding({ today: asOf, notice: 30, after: null, limit: 10 }),
    listEnding: maintenance.listEnding(
      organisationId,
      { today: asOf, until: asOf, untilOf: {} },
      { after: null, limit: 10 }
    )
  }))
]

export const requirementFailures = [
  failing(RequirementRepository, "RequirementRepository", (requirements) => ({
    listCoverage: requirements.listCoverage(organisationId, { asOf }, page),
    summariseCoverage: requirements.summariseCoverage(organisationId, { asOf })
  }))
]

export const apiKeyFailures = [
  failing(ApiKeyStore, "ApiKeyStore", (keys) => ({
    findAcrossOrganisations: keys.findAcrossOrganisations({ digest: anApiKeyDigest() }),
    findAccess: keys.findAccess(organisationId, apiKey.id),
    recordUses: keys.recordUses(organisationId, [{ apiKeyId: apiKey.id, usedAt: changedAt }])
  }))
]

const [idempotencyKey, seed] = [{ caller: "host", key: "key" }, site.id]
const instants = { now: changedAt, leaseUntil: changedAt, expiresAt: changedAt }
const outcomes: ReadonlyArray<IdempotencyOutcome> = [
  { _tag: "Answered", answer: "done" },
  { _tag: "Refused" },
  { _tag: "Unknown", now: changedAt }
]

export const idempotencyFailures = [
  failing(IdempotencyStore, "IdempotencyStore", (store) => ({
    claim: store.claim(organisationId, idempotencyKey, { fingerprint: "a", seed, ...instants }),
    end: Effect.forEach(outcomes, (outcome) => store.end(organisationId, idempotencyKey, { seed, outcome })),
    findOrganisations: store.findOrganisations({ after: null, limit: 10 }),
    purge: store.purge(organisationId, { now: changedAt, limit: 10, maximumBytes: 0 })
  }))
]

const webhook = aWebhook()
const delivery = aWebhookDelivery()

export const webhookQueueFailures = [
  failing(WebhookQueue, "WebhookQueue", (queue) => ({
    findUndispatched: queue.findUndispatched(10),
    dispatch: queue.dispatch(organisationId, { ...at, limit: 10 }),
    findDue: queue.findDue({ now: changedAt, limit: 10 }),
    claim: queue.claim(organisationId, webhook.id, { now: changedAt, claimedUntil: changedAt, limit: 1 }),
    settle: queue.settle(organisationId, webhook.id, delivery.id, {
      ...at,
      claimedUntil: changedAt,
      status: "failed",
      responseStatus: null,
      error: null,
      nextAttemptAt: null
    }),
    oldestPending: queue.oldestPending,
    findOrganisations: queue.findOrganisations({ after: null, limit: 10 }),
    purge: queue.purge(organisationId, { before: changedAt, keep: 1, limit: 10 })
  }))
]
