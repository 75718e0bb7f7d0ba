/**
 * Setup of the cases about idempotency keys: a key of a new organisation, and requests at instants
 * of one day.
 */
import {
  type IdempotencyOutcome,
  type IdempotencyRequest,
  IdempotencyStore,
  makeUuidV7,
  type OrganisationId,
  type OrganisationRepository
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { assert } from "./Assert.ts"
import { insertOrganisation } from "./Setup.ts"

export type IdempotencyPorts = IdempotencyStore | OrganisationRepository

export const start = DateTime.makeUnsafe("2026-06-01T12:00:00.123Z")
const leaseMillis = 60_000
const lifeMillis = 86_400_000
const nextSeed = makeUuidV7()

export const inUse = { _tag: "InUse" } as const
export const reused = { _tag: "Reused" } as const

/** An instant of the day. */
const at = (millis: number): DateTime.Utc => DateTime.add(start, { milliseconds: millis })

/**
 * Offsets in milliseconds: the last one of a lease and the first one after it, and the same for a
 * claim.
 */
export const leased = leaseMillis - 1
export const unleased = leaseMillis
export const alive = lifeMillis - 1
export const expired = lifeMillis

/** A request with a new seed at this offset in milliseconds. */
export const aRequest = (fingerprint: string, millis = 0): Effect.Effect<IdempotencyRequest> =>
  Effect.map(nextSeed, (seed) => ({
    fingerprint,
    seed,
    now: at(millis),
    leaseUntil: at(millis + leaseMillis),
    expiresAt: at(millis + lifeMillis)
  }))

/** The store limited to one key of one caller of an organisation. */
export const keyOf = (
  store: IdempotencyStore["Service"],
  organisationId: OrganisationId,
  text: string,
  caller = "user 1"
) => {
  const key = { caller, key: text }
  const claimAs = (request: IdempotencyRequest) => store.claim(organisationId, key, request)
  const claim = (fingerprint: string, millis = 0) => Effect.flatMap(aRequest(fingerprint, millis), claimAs)
  /** Expects `Claimed` and returns the seed. */
  const claimed = Effect.fnUntraced(function* (fingerprint: string, millis?: number) {
    const answer = yield* claim(fingerprint, millis)
    assert.ok(answer._tag === "Claimed", `expected the claim to be let through, not ${answer._tag}`)
    return answer.seed
  })
  const end = (seed: string, outcome: IdempotencyOutcome) => store.end(organisationId, key, { seed, outcome })
  return {
    claim,
    claimAs,
    claimed,
    complete: (seed: string, answer: string) => end(seed, { _tag: "Answered", answer }),
    release: (seed: string) => end(seed, { _tag: "Refused" }),
    abandon: (seed: string, millis: number) => end(seed, { _tag: "Unknown", now: at(millis) })
  }
}

/** A key of a new organisation. */
export const aKey = Effect.gen(function* () {
  return keyOf(yield* IdempotencyStore, yield* insertOrganisation(), "order-1")
})
