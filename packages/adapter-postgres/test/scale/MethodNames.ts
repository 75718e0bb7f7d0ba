import {
  ApiKeyStore,
  DocumentMaintenance,
  EventRepository,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
  RequirementRepository,
  WebhookQueue,
  WebhookRepository
} from "@solar-sites/core"
import { documentMethods, siteMethods } from "@solar-sites/testing"
import { Effect } from "effect"

/** The names of all methods, such as `SiteRepository.insert`. */
export const methodNames = Effect.gen(function* () {
  const ports = {
    ApiKeyStore: yield* ApiKeyStore,
    DocumentMaintenance: yield* DocumentMaintenance,
    DocumentRepository: yield* documentMethods,
    EventRepository: yield* EventRepository,
    IdempotencyStore: yield* IdempotencyStore,
    OrganisationRepository: yield* OrganisationRepository,
    PortfolioRepository: yield* PortfolioRepository,
    RequirementRepository: yield* RequirementRepository,
    SiteRepository: yield* siteMethods,
    WebhookQueue: yield* WebhookQueue,
    WebhookRepository: yield* WebhookRepository
  }
  return Object.entries(ports)
    .flatMap(([port, methods]) => Object.keys(methods).map((one) => `${port}.${one}`))
    .filter((name) => name !== "DocumentRepository.review") // A review is a step or an update.
})
