/**
 * What the cases about API keys have in common.
 */
import { type ApiKey, ApiKeyStore, type OrganisationId, type OrganisationRepository } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"

/** The ports that a case about keys needs. */
export type KeyPorts = ApiKeyStore | OrganisationRepository

/** Stores a key in the organisation. */
export const insertApiKey = Effect.fnUntraced(function* (organisationId: OrganisationId, overrides?: Partial<ApiKey>) {
  const apiKey = anApiKey({ ...overrides, organisationId })
  const digest = anApiKeyDigest()
  yield* (yield* ApiKeyStore).insert(organisationId, apiKey, digest)
  return { apiKey, digest }
})

/** The key as it is now. */
export const currentApiKey = Effect.fnUntraced(function* ({ id, organisationId }: ApiKey) {
  return Option.getOrNull(yield* (yield* ApiKeyStore).findById(organisationId, id))
})
