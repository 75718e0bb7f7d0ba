/**
 * Port for idempotency keys: stores the answers of requests, so that a retry has no second effect
 * (specification, section 3). Test an implementation with `idempotencyStoreConformance` of
 * `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { Caller } from "./Caller.ts"

/**
 * An idempotency key and the caller that sent it. `key` has at most 255 visible ASCII characters and
 * is case-sensitive. `caller` is the text of `idempotencyCaller`.
 */
export interface IdempotencyKey {
  readonly caller: string
  readonly key: string
}

/**
 * The API key of a caller, or its user. A host that names neither has one caller per organisation.
 * At most 205 code points.
 */
export const idempotencyCaller = ({ apiKeyId, userId }: Caller): string => {
  if (apiKeyId !== null) return `key ${apiKeyId}`
  return userId === null ? "host" : `user ${userId}`
}

/**
 * A request with an idempotency key. `fingerprint` identifies its content. All ids that it creates
 * derive from `seed`. Its lease ends at `leaseUntil`; the key expires at `expiresAt`.
 */
export interface IdempotencyRequest {
  readonly fingerprint: string
  readonly seed: string
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/**
 * Result of a claim:
 * - `Claimed`: run the request with this seed; after an unfinished attempt it is the seed of that
 *   attempt.
 * - `Answered`: the stored answer.
 * - `InUse`: another call holds the lease.
 * - `Reused`: the caller has used the key for another request.
 */
export type IdempotencyClaim =
  | { readonly _tag: "Claimed"; readonly seed: string }
  | { readonly _tag: "Answered"; readonly seed: string; readonly answer: string }
  | { readonly _tag: "InUse" }
  | { readonly _tag: "Reused" }

/**
 * Outcome of an attempt:
 * - `Answered`: the claim keeps the answer.
 * - `Refused`: the claim is removed.
 * - `Unknown`: the lease ends. The same request can claim the key at once, and gets the same seed.
 */
export type IdempotencyOutcome =
  | { readonly _tag: "Answered"; readonly answer: string }
  | { readonly _tag: "Refused" }
  | { readonly _tag: "Unknown"; readonly now: DateTime.Utc }

/** Maximum size of an answer in UTF-8, in bytes. */
export const maximumAnswerBytes = 65_536

/**
 * Parameters of one purge. `limit` bounds the removed claims. `maximumBytes` bounds the answers of
 * the organisation; the oldest are dropped first.
 */
export interface IdempotencyPurge {
  readonly now: DateTime.Utc
  readonly limit: number
  readonly maximumBytes: number
}

/**
 * Every method except `findOrganisations` is one atomic step within the given organisation.
 * Callers have keys of their own: the same text of another
 * caller is another key.
 */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Claims a key. Exactly one of several concurrent calls gets `Claimed`. When a lease ends
     * without an answer, the same request can claim the key again. An expired key counts as absent.
     */
    readonly claim: (
      organisationId: OrganisationId,
      key: IdempotencyKey,
      request: IdempotencyRequest
    ) => Effect.Effect<IdempotencyClaim, RepositoryError>

    /**
     * Ends the attempt of the claim with this seed. No effect when the claim is gone or answered. An answer is stored
     * unchanged, up to `maximumAnswerBytes`.
     */
    readonly end: (
      organisationId: OrganisationId,
      key: IdempotencyKey,
      attempt: { readonly seed: string; readonly outcome: IdempotencyOutcome }
    ) => Effect.Effect<void, RepositoryError>

    /**
     * The first organisations after `after` that have claims, expired ones included, in ascending
     * order.
     */
    readonly findOrganisations: (options: {
      readonly after: OrganisationId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /**
     * Removes at most `limit` expired claims and returns their number. When the live answers exceed
     * `maximumBytes`, drops those that expire first: their requests can be claimed again at once
     * and get the same seeds.
     */
    readonly purge: (organisationId: OrganisationId, purge: IdempotencyPurge) => Effect.Effect<number, RepositoryError>
  }
>()("@solar-sites/core/IdempotencyStore") {}
