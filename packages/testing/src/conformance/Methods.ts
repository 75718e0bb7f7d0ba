/**
 * Commands and lists of a resource together, over the ports of an adapter.
 */
import {
  type ApiKeyCommands,
  ApiKeyStore,
  apiKeyRecords,
  type DocumentCommands,
  DocumentRepository,
  documentRecords,
  type PortfolioCommands,
  PortfolioRepository,
  portfolioRecords,
  type Records,
  type SiteCommands,
  SiteRepository,
  siteRecords
} from "@solar-sites/core"
import { Effect } from "effect"

/** Methods of a port that are no commands, and the commands. */
type With<Service, Commands> = Omit<Service, keyof Commands> & Commands

export const siteMethods: Effect.Effect<
  With<SiteRepository["Service"], SiteCommands>,
  never,
  Records | SiteRepository
> = Effect.gen(function* () {
  return { ...(yield* SiteRepository), ...(yield* siteRecords) }
})

export const portfolioMethods: Effect.Effect<
  With<PortfolioRepository["Service"], PortfolioCommands>,
  never,
  Records | PortfolioRepository
> = Effect.gen(function* () {
  return { ...(yield* PortfolioRepository), ...(yield* portfolioRecords) }
})

export const documentMethods: Effect.Effect<
  With<DocumentRepository["Service"], DocumentCommands>,
  never,
  Records | DocumentRepository
> = Effect.gen(function* () {
  return { ...(yield* DocumentRepository), ...(yield* documentRecords) }
})

export const apiKeyMethods: Effect.Effect<ApiKeyCommands & ApiKeyStore["Service"], never, Records | ApiKeyStore> =
  Effect.gen(function* () {
    return { ...(yield* apiKeyRecords), ...(yield* ApiKeyStore) }
  })
