/**
 * Remembers the answers to requests that came with an idempotency key, so that
 * repeating one does nothing twice (specification, section 3). Implement this
 * port to bring your own database, then run `idempotencyStoreConformance` from
 * `@solar-sites/testing` against it.
 *
 * @since 0.1.0
 */
import { Context, type DateTime, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"

/**
 * A request that wants to be done once. `fingerprint` tells it from every other;
 * `seed` is what the ids of everything it makes are derived from. Nobody else
 * does it before `leaseUntil`; from `expiresAt` on it is forgotten.
 *
 * @category models
 * @since 0.1.0
 */
export interface IdempotencyRequest {
  readonly fingerprint: string
  readonly seed: string
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/**
 * What became of a claim. `Claimed`: go on, with this seed, which is the one of
 * the first attempt when that attempt never ended. `Answered`: it was done.
 * `InUse`: somebody is at it. `Reused`: the key stands for another request.
 *
 * @category models
 * @since 0.1.0
 */
export type IdempotencyClaim =
  | { readonly _tag: "Claimed"; readonly seed: string }
  | { readonly _tag: "Answered"; readonly seed: string; readonly answer: string }
  | { readonly _tag: "InUse" }
  | { readonly _tag: "Reused" }

/**
 * The most bytes that an answer may have in UTF-8.
 *
 * @category models
 * @since 0.1.0
 */
export const maximumAnswerBytes = 65_536

/**
 * What is removed at a time. `maximumBytes` is the budget of the organisation for
 * answers, of which the oldest are given up first.
 *
 * @category models
 * @since 0.1.0
 */
export interface IdempotencyPurge {
  readonly now: DateTime.Utc
  readonly limit: number
  readonly maximumBytes: number
}

/**
 * Every method but `findOrganisations` is one atomic step and looks only inside
 * the given organisation. `complete`, `release` and `abandon` concern the claim with the given seed and no other one. A key
 * is at most 255 visible ASCII characters, and its case counts.
 *
 * @category services
 * @since 0.1.0
 */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Claims a key. Of several at once exactly one is `Claimed`. A claim whose
     * lease has run out without an answer can be claimed again, for the same
     * request only. What has expired counts as absent.
     */
    readonly claim: (
      organisationId: OrganisationId,
      key: string,
      request: IdempotencyRequest
    ) => Effect.Effect<IdempotencyClaim, RepositoryError>

    /** Keeps the answer of a claim, as it is, up to `maximumAnswerBytes`; nothing happens when the claim is no longer there or has been answered. */
    readonly complete: (
      organisationId: OrganisationId,
      key: string,
      done: { readonly seed: string; readonly answer: string }
    ) => Effect.Effect<void, RepositoryError>

    /** Frees the key of a claim that was refused; an answered one stays. */
    readonly release: (
      organisationId: OrganisationId,
      key: string,
      refused: { readonly seed: string }
    ) => Effect.Effect<void, RepositoryError>

    /**
     * Ends the lease of a claim of which nobody knows what came of it: the same
     * request may claim it at once, and gets the same seed. An answered one stays.
     */
    readonly abandon: (
      organisationId: OrganisationId,
      key: string,
      unknown: { readonly seed: string; readonly now: DateTime.Utc }
    ) => Effect.Effect<void, RepositoryError>

    /** The first organisations with claims after the given one, expired claims too, in ascending order. */
    readonly findOrganisations: (options: {
      readonly after: OrganisationId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrganisationId>, RepositoryError>

    /**
     * Removes at most `limit` claims that have expired, and answers how many. Where
     * the answers that are alive have more than `maximumBytes`, the oldest are given
     * up, those that expire first: their requests may be claimed again at once and
     * get the same seeds.
     */
    readonly purge: (organisationId: OrganisationId, purge: IdempotencyPurge) => Effect.Effect<number, RepositoryError>
  }
>()("@solar-sites/core/IdempotencyStore") {}
