/**
 * Setup of the cases about API keys.
 */
import { type ApiKey, ApiKeyStore, type OrganisationId, type OrganisationRepository } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"

/** Ports of the cases about API keys. */
export type KeyPorts = ApiKeyStore | OrganisationRepository

/** Inserts a key into the organisation. */
export const insertApiKey = Effect.fnUntraced(function* (organisationId: OrganisationId, overrides?: Partial<ApiKey>) {
  const apiKey = anApiKey({ ...overrides, organisationId })
  const digest = anApiKeyDigest()
  yield* (yield* ApiKeyStore).insert(organisationId, apiKey, digest)
  return { apiKey, digest }
})

/** The stored key, or null. */
export const currentApiKey = Effect.fnUntraced(function* ({ id, organisationId }: ApiKey) {
  return Option.getOrNull(yield* (yield* ApiKeyStore).findById(organisationId, id))
})
