/**
 * The tables of the library's operations.
 */
import { Effect, flow, Option, Redacted, Schema, Stream } from "effect"
import { CreateApiKey, type IssuedApiKey, ListApiKeys } from "../api-keys/ApiKey.ts"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import type { ScopeMissing } from "../caller/ApiScope.ts"
import { type Caller, CurrentCaller } from "../caller/Caller.ts"
import { type NeededScopes, neededScopes } from "../caller/NeededScopes.ts"
import { requireScopes } from "../caller/ScopeGuard.ts"
import { type DocumentId, ListDocuments, ListRevisions } from "../documents/Document.ts"
import { ChangeDocumentStatus } from "../documents/DocumentMetadata.ts"
import { Documents } from "../documents/Documents.ts"
import { IssueHostUploads } from "../documents/UploadRequest.ts"
import { ListEvents } from "../events/Event.ts"
import { Events } from "../events/Events.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { CreateOrganisation, UpdateOrganisation } from "../organisations/Organisation.ts"
import { Organisations } from "../organisations/Organisations.ts"
import { maximumPageSize, paging } from "../persistence/Page.ts"
import {
  CreatePortfolio,
  CreatePortfolios,
  ListPortfolios,
  ListPortfoliosWithSites,
  SiteIds,
  UpdatePortfolio
} from "../portfolios/Portfolio.ts"
import { Portfolios } from "../portfolios/Portfolios.ts"
import { Coverage } from "../requirements/Coverage.ts"
import { ReplaceRequirements } from "../requirements/Requirement.ts"
import { Requirements } from "../requirements/Requirements.ts"
import { ListCoverage, SummariseCoverage } from "../requirements/SiteCoverage.ts"
import type { SolarSitesServices } from "../SolarSitesServices.ts"
import { BulkSites } from "../sites/BulkSites.ts"
import { CreateSite, ListSites, UpdateSite } from "../sites/Site.ts"
import { Sites } from "../sites/Sites.ts"
import { CreateWebhook, type IssuedWebhook, ListWebhooks, UpdateWebhook } from "../webhooks/Webhook.ts"
import { ListWebhookDeliveries } from "../webhooks/WebhookDelivery.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import {
  apiKeyId,
  documentId,
  durationText,
  expectedListVersions,
  expectedVersions,
  input,
  organisationId,
  portfolioId,
  query,
  rotation,
  siteId,
  webhookDeliveryId,
  webhookId
} from "./Input.ts"
import { bind, type Calls, read, stream, type Table, write } from "./OperationTable.ts"
import type { OrganisationOperations, SolarSitesForCaller } from "./SolarSitesForCaller.ts"

const sites = {
  create: write(Sites, ({ create }) => create, [input(CreateSite)]),
  bulk: write(Sites, ({ bulk }) => bulk, [input(BulkSites)]),
  get: read(Sites, ({ get }) => get, [siteId]),
  list: read(Sites, ({ list }) => list, [query(ListSites)]),
  update: write(Sites, ({ update }) => update, [siteId, input(UpdateSite), expectedVersions]),
  delete: write(Sites, (sites) => sites.delete, [siteId, expectedVersions])
}

const withSites = query(ListPortfoliosWithSites)

const portfolios = {
  create: write(Portfolios, ({ create }) => create, [input(CreatePortfolio)]),
  createMany: write(Portfolios, ({ createMany }) => createMany, [input(CreatePortfolios)]),
  get: read(Portfolios, ({ get }) => get, [portfolioId]),
  list: read(Portfolios, ({ list }) => list, [query(ListPortfolios)]),
  listWithSites: read(Portfolios, ({ listWithSites }) => listWithSites, [withSites]),
  streamWithSites: stream(Portfolios, ({ streamWithSites }) => streamWithSites, [withSites]),
  update: write(Portfolios, ({ update }) => update, [portfolioId, input(UpdatePortfolio), expectedVersions]),
  delete: write(Portfolios, (portfolios) => portfolios.delete, [portfolioId, expectedVersions]),
  addSites: write(Portfolios, ({ addSites }) => addSites, [portfolioId, input(SiteIds)]),
  removeSites: write(Portfolios, ({ removeSites }) => removeSites, [portfolioId, input(SiteIds), expectedVersions])
}

const documents = {
  issueUploads: write(Documents, ({ issueUploads }) => issueUploads, [input(IssueHostUploads)]),
  reissueUpload: write(
    Documents,
    ({ reissueUpload }) =>
      (id: DocumentId) =>
        reissueUpload(id),
    [documentId]
  ),
  get: read(Documents, ({ get }) => get, [documentId]),
  list: read(Documents, ({ list }) => list, [query(ListDocuments)]),
  listRevisions: read(Documents, ({ listRevisions }) => listRevisions, [documentId, query(ListRevisions)]),
  changeStatus: write(Documents, ({ changeStatus }) => changeStatus, [
    documentId,
    input(ChangeDocumentStatus),
    expectedVersions
  ]),
  downloadUrl: read(Documents, ({ downloadUrl }) => downloadUrl, [documentId]),
  delete: write(Documents, (documents) => documents.delete, [documentId, expectedVersions])
}

const requirements = {
  get: read(Requirements, ({ get }) => get, []),
  replace: write(Requirements, ({ replace }) => replace, [input(ReplaceRequirements), expectedListVersions])
}
const events = { list: read(Events, ({ list }) => list, [query(ListEvents)]) }

const coverage = {
  list: read(Coverage, ({ list }) => list, [query(ListCoverage)]),
  summary: read(Coverage, ({ summary }) => summary, [query(SummariseCoverage)])
}

// The only places where a secret becomes plain text.
const revealed = <E, R>(issued: Effect.Effect<IssuedApiKey, E, R>) =>
  Effect.map(issued, ({ apiKey, secret }) => ({ apiKey, secret: Redacted.value(secret) }))

const revealedWebhook = <E, R>(issued: Effect.Effect<IssuedWebhook, E, R>) =>
  Effect.map(issued, ({ secret, webhook }) => ({ ...webhook, secret: Redacted.value(secret) }))

const createApiKey = input(
  Schema.Struct({ ...CreateApiKey.fields, expiresIn: durationText(CreateApiKey.fields.expiresIn.schema) })
)

const apiKeys = {
  create: write(ApiKeys, ({ create }) => flow(create, revealed), [createApiKey]),
  get: read(ApiKeys, ({ get }) => get, [apiKeyId]),
  list: read(ApiKeys, ({ list }) => list, [query(ListApiKeys)]),
  delete: write(ApiKeys, (apiKeys) => apiKeys.delete, [apiKeyId]),
  rotate: write(ApiKeys, ({ rotate }) => flow(rotate, revealed), [apiKeyId, rotation]),
  inUse: read(
    ApiKeys,
    ({ inUse }) =>
      () =>
        Effect.map(inUse, Option.getOrNull),
    []
  ),
  accessInUse: read(
    ApiKeys,
    ({ accessInUse }) =>
      () =>
        Effect.map(accessInUse, Option.getOrNull),
    []
  )
}

const webhooks = {
  create: write(Webhooks, ({ create }) => flow(create, revealedWebhook), [input(CreateWebhook)]),
  get: read(Webhooks, ({ get }) => get, [webhookId]),
  list: read(Webhooks, ({ list }) => list, [query(ListWebhooks)]),
  update: write(Webhooks, ({ update }) => update, [webhookId, input(UpdateWebhook), expectedVersions]),
  delete: write(Webhooks, (webhooks) => webhooks.delete, [webhookId, expectedVersions]),
  rotateSecret: write(Webhooks, ({ rotateSecret }) => flow(rotateSecret, revealedWebhook), [webhookId]),
  test: write(Webhooks, ({ test }) => test, [webhookId]),
  listDeliveries: read(Webhooks, ({ listDeliveries }) => listDeliveries, [webhookId, query(ListWebhookDeliveries)]),
  retry: write(Webhooks, ({ retry }) => retry, [webhookId, webhookDeliveryId])
}

const organisations = {
  create: write(Organisations, ({ create }) => create, [input(CreateOrganisation)]),
  get: read(Organisations, ({ get }) => get, [organisationId]),
  list: read(Organisations, ({ list }) => list, [query(Schema.Struct(paging("organisations", maximumPageSize)))]),
  update: write(Organisations, ({ update }) => update, [organisationId, input(UpdateOrganisation)]),
  delete: write(Organisations, (organisations) => organisations.delete, [organisationId])
}

const actingAs = (
  calls: Calls<SolarSitesServices>,
  caller: Effect.Effect<Caller, ValidationFailed | ScopeMissing>
): Calls<SolarSitesServices | CurrentCaller> => ({
  read: (effect, options) => calls.read(Effect.provideServiceEffect(effect, CurrentCaller, caller), options),
  write: (effect, options) => calls.write(Effect.provideServiceEffect(effect, CurrentCaller, caller), options),
  stream: (stream, options) => {
    const provided = Effect.map(caller, (known) => Stream.provideService(stream, CurrentCaller, known))
    return calls.stream(Stream.unwrap(provided), options)
  }
})

/**
 * The operations of a caller. An invalid caller is a fault of every call. As over HTTP, a missing
 * scope comes before the faults of the input.
 */
export const callerOperations = (
  calls: Calls<SolarSitesServices>,
  caller: Effect.Effect<Caller, ValidationFailed>
): SolarSitesForCaller => {
  const asCaller = <const Rows extends Table<SolarSitesServices | CurrentCaller>>(
    rows: Rows,
    needs: { readonly [Name in keyof Rows]: NeededScopes }
  ) =>
    bind(rows, (name) =>
      actingAs(
        calls,
        Effect.tap(caller, (known) => requireScopes(known, needs[name]))
      )
    )
  return {
    sites: asCaller(sites, neededScopes.sites),
    portfolios: asCaller(portfolios, neededScopes.portfolios),
    documents: asCaller(documents, neededScopes.documents),
    requirements: asCaller(requirements, neededScopes.requirements),
    coverage: asCaller(coverage, neededScopes.coverage),
    events: asCaller(events, neededScopes.events),
    apiKeys: asCaller(apiKeys, neededScopes.apiKeys),
    webhooks: asCaller(webhooks, neededScopes.webhooks)
  }
}

export const organisationOperations = (calls: Calls<SolarSitesServices>): OrganisationOperations =>
  bind(organisations, () => calls)
