/** The ports of core, by the adapter that provides them. */
import type { Context } from "effect"
import { ApiKeyStore } from "./api-keys/ApiKeyStore.ts"
import { IdempotencyStore } from "./caller/IdempotencyStore.ts"
import { RateLimiter } from "./caller/RateLimiter.ts"
import { DocumentMaintenance } from "./documents/DocumentMaintenance.ts"
import { DocumentRepository } from "./documents/DocumentRepository.ts"
import { EventRepository } from "./events/EventRepository.ts"
import { OrganisationRepository } from "./operators/OrganisationRepository.ts"
import { AccessChanges } from "./organisations/AccessChanges.ts"
import { PortfolioRepository } from "./portfolios/PortfolioRepository.ts"
import { Records } from "./records/Records.ts"
import { RequirementRepository } from "./requirements/RequirementRepository.ts"
import { SiteRepository } from "./sites/SiteRepository.ts"
import { DocumentStorage } from "./storage/DocumentStorage.ts"
import { WebhookQueue } from "./webhooks/WebhookQueue.ts"

type Identifiers<Ports extends ReadonlyArray<{ readonly Identifier: unknown }>> = Ports[number]["Identifier"]

/** The ports that a database adapter provides. */
export const databasePorts = [
  OrganisationRepository,
  Records,
  SiteRepository,
  PortfolioRepository,
  DocumentRepository,
  DocumentMaintenance,
  RequirementRepository,
  ApiKeyStore,
  IdempotencyStore,
  EventRepository,
  WebhookQueue
] as const
export type DatabasePorts = Identifiers<typeof databasePorts>

/** The ports that instances share, such as over Redis. They default to the process. */
export const sharedPorts = [AccessChanges, RateLimiter] as const
export type SharedPorts = Identifiers<typeof sharedPorts>

/** The ports that adapters must provide. */
export type RequiredPorts = DatabasePorts | DocumentStorage

/** Every port of the core. */
export type SolarSitesPorts = RequiredPorts | SharedPorts

type NameOf<Key> = Key extends `@solar-sites/core/${infer Name}` ? Name : never

/**
 * Accepts a layer that provides every required port. The type error of any other
 * layer names all missing ports.
 */
export type ProvidesAllPorts<Provided> = [RequiredPorts] extends [Provided]
  ? unknown
  : { readonly "ports that the layer lacks": NameOf<Exclude<RequiredPorts, Provided>["key"]> }

const namesIn = (ports: ReadonlyArray<{ readonly key: string }>, { mapUnsafe }: Context.Context<never>) =>
  ports.filter(({ key }) => !mapUnsafe.has(key)).map(({ key }) => key.replace("@solar-sites/core/", ""))

/** Names all required ports that the context lacks, and the adapters to add; null when it lacks none. */
export const missingPorts = (context: Context.Context<never>): string | null => {
  const database = namesIn(databasePorts, context)
  const storage = namesIn([DocumentStorage], context)
  if (database.length + storage.length === 0) return null
  const adapters = [
    ...(database.length > 0 ? ["a database such as Postgres.layer({ url })"] : []),
    ...(storage.length > 0 ? ["a storage such as S3.layer({ bucket, region })"] : [])
  ]
  return `adapters: ${[...database, ...storage].join(", ")} missing; add ${adapters.join(" and ")}`
}
