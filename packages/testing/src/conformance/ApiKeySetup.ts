/**
 * Setup of the cases about API keys.
 */
import {
  type ApiKey,
  type ApiKeyStore,
  apiKeyRecords,
  type OrganisationId,
  type OrganisationRepository,
  type PortfolioRepository,
  type Records
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"

/** Ports of the cases about API keys. */
export type KeyPorts = ApiKeyStore | Records | OrganisationRepository | PortfolioRepository

/** Inserts a key into the organisation. */
export const insertApiKey = Effect.fnUntraced(function* (organisationId: OrganisationId, overrides?: Partial<ApiKey>) {
  const apiKey = anApiKey({ ...overrides, organisationId })
  const digest = anApiKeyDigest()
  yield* (yield* apiKeyRecords).insert(organisationId, apiKey, digest)
  return { apiKey, digest }
})

/** The stored key, or null. */
export const currentApiKey = Effect.fnUntraced(function* ({ id, organisationId }: ApiKey) {
  return Option.getOrNull(yield* (yield* apiKeyRecords).findById(organisationId, id))
})
