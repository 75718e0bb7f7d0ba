/**
 * Deletion of organisations that own records. Applies when one adapter stores all of them, not with
 * organisations of a host.
 */

import {
  type ApiKeyStore,
  apiKeyRecords,
  DocumentMaintenance,
  type DocumentRepository,
  OrganisationNotFound,
  OrganisationRepository,
  type PortfolioRepository,
  type Records,
  requirementListRecords,
  type SiteRepository,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest, aPortfolio, aRequirement, aSite, aWebhook } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { afterDeletions, claimFiles, insertDocument } from "./DocumentSetup.ts"
import { refused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertSite } from "./Setup.ts"

type Ports =
  | OrganisationRepository
  | Records
  | SiteRepository
  | PortfolioRepository
  | ApiKeyStore
  | DocumentRepository
  | DocumentMaintenance

export const organisationDeletionConformance: ConformanceSuite<Ports> = {
  port: "OrganisationRepository.delete",
  cases: [
    {
      name: "deletes no organisation that a site, a portfolio, a key or a webhook belongs to",
      check: Effect.gen(function* () {
        const organisations = yield* OrganisationRepository
        const [sites, portfolios, apiKeys] = [yield* siteMethods, yield* portfolioMethods, yield* apiKeyRecords]
        const organisationId = yield* insertOrganisation()
        const [site, portfolio] = [aSite({ organisationId }), aPortfolio({ organisationId })]
        const [webhooks, webhook] = [yield* webhookRecords, aWebhook()]
        const apiKey = anApiKey({ organisationId })
        for (const [store, remove] of [
          [sites.insert(organisationId, site), sites.delete(organisationId, site.id)],
          [
            portfolios.insertMany(organisationId, [portfolio]),
            portfolios.delete(organisationId, portfolio.id, { at: changedAt })
          ],
          [apiKeys.insert(organisationId, apiKey, anApiKeyDigest()), apiKeys.delete(organisationId, apiKey.id)],
          [
            webhooks.insert(organisationId, webhook, WebhookSigning.fromText("whsec_")),
            webhooks.delete(organisationId, webhook.id, { at: changedAt })
          ]
        ] as const) {
          yield* Effect.asVoid<unknown, unknown, never>(store)
          assert.equal(yield* organisations.delete(organisationId), false)
          assert.ok(Option.isSome(yield* organisations.findById(organisationId)), "it is still there")
          yield* Effect.asVoid<unknown, unknown, never>(remove)
        }
        const { find, replace } = yield* requirementListRecords
        yield* replace(organisationId, [aRequirement()], { at: changedAt })
        assert.equal(yield* organisations.delete(organisationId), true, "a list of requirements does not hold it")
        assert.equal((yield* find(organisationId)).version, 0, "the list goes with it")
        yield* refused(sites.insert(organisationId, site), OrganisationNotFound, "a site of a deleted organisation")
      })
    },
    {
      name: "keeps the list of files to delete when the organisation is deleted",
      check: Effect.gen(function* () {
        const organisationId = yield* insertOrganisation()
        const site = yield* insertSite(organisationId)
        const { path } = yield* insertDocument(site)
        yield* (yield* siteMethods).delete(organisationId, site.id)
        assert.equal(yield* (yield* OrganisationRepository).delete(organisationId), true)
        const now = yield* afterDeletions
        const due = yield* (yield* DocumentMaintenance).findDue({ now, limit: 100_000 })
        assert.ok(due.includes(organisationId), "its files are still due")
        assert.deepEqual(yield* claimFiles([organisationId], now), [path])
      })
    }
  ]
}
