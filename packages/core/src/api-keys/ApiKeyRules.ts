/**
 * Rules of API keys as pure functions: records and a command in, a change or a refusal out.
 */
import { Array as Arr, DateTime, Result } from "effect"
import type { ApiKeyId } from "../caller/Caller.ts"
import type { PortfolioLimit } from "../caller/PortfolioLimit.ts"
import { isReached } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Decision } from "../records/Deciding.ts"
import { assumed, type Found, foundOf } from "../records/Found.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { organisationReference } from "../records/OrganisationReference.ts"
import type { Find } from "../records/RecordKind.ts"
import { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import { portfolioReference } from "../sites/SiteKind.ts"
import { ApiKey, maximumLiveApiKeys } from "./ApiKey.ts"
import { ApiKeyNotFound, TooManyApiKeys } from "./ApiKeyErrors.ts"
import { ApiKeyRecord, apiKeyEvent, apiKeyKind, liveApiKeys } from "./ApiKeyKind.ts"
import type { ApiKeyDigest } from "./ApiKeySecret.ts"

const tooMany = () => new TooManyApiKeys({ maximum: maximumLiveApiKeys })

/** The key of a record. */
export const apiKeyOf = ({ digest: _digest, issuedUntil: _end, ...members }: ApiKeyRecord): ApiKey =>
  makeUnchecked(ApiKey, members)

/** A key to store, with the digest of its secret. */
export const newApiKey = (apiKey: ApiKey, digest: ApiKeyDigest): ApiKeyRecord =>
  makeUnchecked(ApiKeyRecord, { ...apiKey, digest, issuedUntil: apiKey.expiresAt })

/** The records that `createApiKey` reads. */
export const findsOfCreation = ({ organisationId, portfolioIds }: ApiKeyRecord): ReadonlyArray<Find> => [
  { kind: organisationReference, by: "id", values: [organisationId] },
  ...(portfolioIds === null ? [] : [{ kind: portfolioReference, by: "id", values: portfolioIds }])
]

/** The records as if nothing stood against a new key. */
export const assumedForCreation = ({ organisationId }: ApiKeyRecord): Found =>
  foundOf([assumed(organisationReference, { id: organisationId })])

/** Stores a new key. Portfolios outside of `limit`, which is that of its creator, are absent. */
export const createApiKey =
  (after: ApiKeyRecord, limit: PortfolioLimit, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<void>, OrganisationNotFound | PortfoliosNotFound | TooManyApiKeys> => {
    const { createdAt, id, organisationId, portfolioIds } = after
    if (found.byId(organisationReference, organisationId) === null) {
      return Result.fail(new OrganisationNotFound({ organisationId }))
    }
    const missing = (portfolioIds ?? []).filter(
      (one) => found.byId(portfolioReference, one) === null || !isReached({ portfolioIds: limit }, one)
    )
    if (Arr.isArrayNonEmpty(missing)) return Result.fail(new PortfoliosNotFound({ portfolioIds: missing }))
    if (found.isFull(liveApiKeys)) return Result.fail(tooMany())
    return Result.succeed({
      answer: undefined,
      change: {
        writes: [{ kind: apiKeyKind, id, before: null, after }],
        events: [apiKeyEvent("api_key.created", null, after)],
        origin,
        at: createdAt
      }
    })
  }

/** The record that `deleteApiKey` and `rotateApiKey` read. */
export const findsOfKey = (apiKeyId: ApiKeyId): ReadonlyArray<Find> => [
  { kind: apiKeyKind, by: "id", values: [apiKeyId] }
]

/** Deletes a key, and answers it. */
export const deleteApiKey =
  (apiKeyId: ApiKeyId, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<ApiKey>, ApiKeyNotFound> => {
    const before = found.byId(apiKeyKind, apiKeyId)
    if (before === null) return Result.fail(new ApiKeyNotFound({ apiKeyId }))
    return Result.succeed({
      answer: apiKeyOf(before.record),
      change: {
        writes: [{ kind: apiKeyKind, id: apiKeyId, before, after: null }],
        events: [apiKeyEvent("api_key.deleted", before.record, null)],
        origin,
        at: origin.occurredAt
      }
    })
  }

/** The replacement of a key that ends at `expiresAt` or earlier. */
export interface ApiKeyRotation {
  readonly organisationId: OrganisationId
  readonly apiKeyId: ApiKeyId
  readonly replacement: Omit<ApiKey, "expiresAt">
  readonly digest: ApiKeyDigest
  readonly expiresAt: DateTime.Utc
}

/** Ends a key, and stores and answers a replacement with the lifetime that the key was created with. */
export const rotateApiKey =
  ({ apiKeyId, digest, expiresAt, organisationId, replacement }: ApiKeyRotation, origin: EventOrigin) =>
  (found: Found): Result.Result<Decision<ApiKey>, ApiKeyNotFound | TooManyApiKeys> => {
    const before = found.byId(apiKeyKind, apiKeyId)
    if (before === null) return Result.fail(new ApiKeyNotFound({ apiKeyId }))
    if (found.isFull(liveApiKeys)) return Result.fail(tooMany())
    const { record: old } = before
    const ending = makeUnchecked(ApiKeyRecord, { ...old, expiresAt: DateTime.min(old.expiresAt, expiresAt) })
    const { createdAt, id } = replacement
    const end = DateTime.addDuration(createdAt, DateTime.distance(old.createdAt, old.issuedUntil))
    const issued = makeUnchecked(ApiKey, { ...replacement, organisationId, expiresAt: end })
    const replacedBy = { from: null, to: id }
    return Result.succeed({
      answer: issued,
      change: {
        writes: [
          { kind: apiKeyKind, id: apiKeyId, before, after: ending },
          { kind: apiKeyKind, id, before: null, after: newApiKey(issued, digest) }
        ],
        events: [apiKeyEvent("api_key.rotated", old, ending, { replacedBy })],
        origin,
        at: createdAt
      }
    })
  }
