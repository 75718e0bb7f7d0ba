import {
  DocumentMaintenance,
  EventRepository,
  IdempotencyStore,
  OrganisationRepository,
  RequirementRepository,
  requirementListRecords,
  WebhookQueue,
  webhookRecords
} from "@solar-sites/core"
import { apiKeyMethods, documentMethods, portfolioMethods, siteMethods } from "@solar-sites/testing"
import { Effect } from "effect"

/** Commands that run another method: a review is a step or an update, the others are moves. */
const combined = ["DocumentRepository.review", "PortfolioRepository.addSites", "PortfolioRepository.removeSites"]

/** The names of all methods, such as `SiteRepository.insert`. */
export const methodNames = Effect.gen(function* () {
  const ports = {
    ApiKeyStore: yield* apiKeyMethods,
    DocumentMaintenance: yield* DocumentMaintenance,
    DocumentRepository: yield* documentMethods,
    EventRepository: yield* EventRepository,
    IdempotencyStore: yield* IdempotencyStore,
    OrganisationRepository: yield* OrganisationRepository,
    PortfolioRepository: yield* portfolioMethods,
    RequirementRepository: { ...(yield* RequirementRepository), ...(yield* requirementListRecords) },
    SiteRepository: yield* siteMethods,
    WebhookQueue: yield* WebhookQueue,
    WebhookRepository: yield* webhookRecords
  }
  return (
    Object.entries(ports)
      .flatMap(([port, methods]) => Object.keys(methods).map((one) => `${port}.${one}`))
      .filter((name) => !combined.includes(name))
      // The disabling of webhooks has the name of the queue.
      .map((name) => (name === "WebhookRepository.disableFailing" ? "WebhookQueue.disableFailing" : name))
  )
})
