/**
 * Promises of the commands of core, which rules decide. They run on memory here. Those about concurrent calls run on Postgres
 * too, in `adapter-postgres`: they meet real locks there. An adapter is tested by `recordsConformance`.
 */
import type { ConformanceSuite } from "@solar-sites/testing"
import type { EventPorts } from "../../src/conformance/EventSetup.ts"
import type { AccessPorts } from "./AccessPorts.ts"
import { apiKeyMaximumCases } from "./ApiKeyMaximumRules.ts"
import { apiKeyCases } from "./ApiKeyRules.ts"
import { documentClaimCases } from "./DocumentClaimRules.ts"
import { documentCoverCases } from "./DocumentCoverRules.ts"
import { documentDeletionCases } from "./DocumentDeletionRules.ts"
import { documentEventCases } from "./DocumentEventRules.ts"
import { documentInsertCases } from "./DocumentInsertRules.ts"
import { documentIsolationCases } from "./DocumentIsolationRules.ts"
import { documentMetadataCases } from "./DocumentMetadataRules.ts"
import { documentPendingCases } from "./DocumentPendingRules.ts"
import { documentReplacementCases } from "./DocumentReplacementRules.ts"
import { documentStepCases } from "./DocumentStepRules.ts"
import {
  documentExpectedVersionCases,
  portfolioExpectedVersionCases,
  siteExpectedVersionCases
} from "./ExpectedVersionRules.ts"
import { portfolioRenameCases } from "./PortfolioConcurrencyRules.ts"
import { portfolioExternalIdCases } from "./PortfolioExternalIdRules.ts"
import { portfolioRepeatedInsertCases } from "./PortfolioRepeatedInsertRules.ts"
import { portfolioUpdateCases } from "./PortfolioUpdateRules.ts"
import { documentRepeatedInsertCases, siteRepeatedInsertCases } from "./RepeatedInsertRules.ts"
import { replacementRaceCases } from "./ReplacementRaceRules.ts"
import { requirementConcurrencyCases } from "./RequirementConcurrencyRules.ts"
import { requirementEventCases } from "./RequirementEventRules.ts"
import { requirementListCases } from "./RequirementListRules.ts"
import { siteConcurrencyCases } from "./SiteConcurrencyRules.ts"
import { siteEventCases } from "./SiteEventRules.ts"
import { siteExternalIdCases } from "./SiteExternalIdRules.ts"
import { siteInsertCases } from "./SiteInsertRules.ts"
import { siteIsolationCases } from "./SiteIsolationRules.ts"
import { siteUpdateCases } from "./SiteUpdateRules.ts"
import { webhookDeliveryCases } from "./WebhookDeliveryRules.ts"
import { webhookCases } from "./WebhookRules.ts"

const portfolios: ConformanceSuite<EventPorts> = {
  port: "rules of portfolios",
  cases: [
    ...portfolioUpdateCases,
    ...portfolioRenameCases,
    ...portfolioRepeatedInsertCases,
    ...portfolioExternalIdCases,
    ...portfolioExpectedVersionCases
  ]
}

const requirements: ConformanceSuite<EventPorts> = {
  port: "rules of requirements",
  cases: [...requirementListCases, ...requirementConcurrencyCases, ...requirementEventCases]
}

const sites: ConformanceSuite<EventPorts> = {
  port: "rules of sites",
  cases: [
    ...siteInsertCases,
    ...siteRepeatedInsertCases,
    ...siteExternalIdCases,
    ...siteUpdateCases,
    ...siteExpectedVersionCases,
    ...siteConcurrencyCases,
    ...siteIsolationCases,
    ...siteEventCases
  ]
}

const documents: ConformanceSuite<EventPorts> = {
  port: "rules of documents",
  cases: [
    ...documentInsertCases,
    ...documentRepeatedInsertCases,
    ...documentIsolationCases,
    ...documentStepCases,
    ...documentExpectedVersionCases,
    ...documentMetadataCases,
    ...documentReplacementCases,
    ...replacementRaceCases,
    ...documentCoverCases,
    ...documentDeletionCases,
    ...documentClaimCases,
    ...documentPendingCases,
    ...documentEventCases
  ]
}

const access: ConformanceSuite<AccessPorts> = {
  port: "rules of API keys and webhooks",
  cases: [...apiKeyCases, ...apiKeyMaximumCases, ...webhookCases, ...webhookDeliveryCases]
}

export const ruleSuites: ReadonlyArray<ConformanceSuite<AccessPorts>> = [
  sites,
  portfolios,
  documents,
  requirements,
  access
]
