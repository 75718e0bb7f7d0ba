/**
 * `IdempotencyStore` in memory.
 *
 * @since 0.1.0
 */
import {
  type IdempotencyClaim,
  type IdempotencyKey,
  type IdempotencyRequest,
  IdempotencyStore,
  type OrganisationId
} from "@solar-sites/core"
import { DateTime, Effect, Layer } from "effect"

interface Claim extends Omit<IdempotencyRequest, "now"> {
  readonly answer: string | null
}

/** The key of a map: a caller has any text, a key has no space. */
const textOf = ({ caller, key }: IdempotencyKey): string => `${caller} ${key}`

const inUse: IdempotencyClaim = { _tag: "InUse" }
const reused: IdempotencyClaim = { _tag: "Reused" }

/**
 * Empty each time it is built.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<IdempotencyStore> = Layer.sync(IdempotencyStore, () => {
  const organisations = new Map<OrganisationId, Map<string, Claim>>()

  const claimsOf = (organisationId: OrganisationId): Map<string, Claim> => {
    const claims = organisations.get(organisationId) ?? new Map<string, Claim>()
    organisations.set(organisationId, claims)
    return claims
  }

  /** Changes the claim with this seed, unless it is absent or answered; null removes it. */
  const changeClaim = (
    organisationId: OrganisationId,
    key: IdempotencyKey,
    seed: string,
    change: (claim: Claim) => Claim | null
  ) =>
    Effect.sync(() => {
      const claims = claimsOf(organisationId)
      const claim = claims.get(textOf(key))
      if (claim?.seed !== seed || claim.answer !== null) return
      const changed = change(claim)
      if (changed === null) claims.delete(textOf(key))
      else claims.set(textOf(key), changed)
    })

  return IdempotencyStore.of({
    claim: (organisationId, callerKey, { now, ...request }) =>
      Effect.sync((): IdempotencyClaim => {
        const key = textOf(callerKey)
        const claims = claimsOf(organisationId)
        const there = claims.get(key)
        if (there === undefined || DateTime.isLessThanOrEqualTo(there.expiresAt, now)) {
          claims.set(key, { ...request, answer: null })
          return { _tag: "Claimed", seed: request.seed }
        }
        const { answer, fingerprint, leaseUntil, seed } = there
        if (fingerprint !== request.fingerprint) return reused
        if (answer !== null) return { _tag: "Answered", seed, answer }
        if (DateTime.isGreaterThan(leaseUntil, now)) return inUse
        claims.set(key, { ...there, leaseUntil: request.leaseUntil })
        return { _tag: "Claimed", seed }
      }),
    complete: (organisationId, key, { answer, seed }) =>
      changeClaim(organisationId, key, seed, (claim) => ({ ...claim, answer })),
    release: (organisationId, key, { seed }) => changeClaim(organisationId, key, seed, () => null),
    abandon: (organisationId, key, { now, seed }) =>
      changeClaim(organisationId, key, seed, (claim) => ({ ...claim, leaseUntil: now })),

    findOrganisations: ({ after, limit }) =>
      Effect.sync(() => {
        const withClaims = [...organisations].flatMap(([id, claims]) => (claims.size > 0 ? [id] : []))
        return withClaims
          .sort()
          .filter((id) => after === null || id > after)
          .slice(0, limit)
      }),

    purge: (organisationId, { limit, maximumBytes, now }) =>
      Effect.sync(() => {
        const claims = claimsOf(organisationId)
        const hasExpired = ({ expiresAt }: Claim) => DateTime.isLessThanOrEqualTo(expiresAt, now)
        const newestFirst = [...claims].sort(([, a], [, b]) => DateTime.Order(b.expiresAt, a.expiresAt))
        let bytes = 0
        for (const [key, claim] of newestFirst) {
          if (hasExpired(claim) || claim.answer === null) continue
          bytes += new TextEncoder().encode(claim.answer).byteLength
          if (bytes > maximumBytes) claims.set(key, { ...claim, answer: null, leaseUntil: now })
        }
        const old = newestFirst.filter(([, claim]) => hasExpired(claim)).slice(-limit)
        for (const [key] of old) claims.delete(key)
        return old.length
      })
  })
})
