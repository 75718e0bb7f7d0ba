/**
 * Authentication by API key. Valid keys are cached for at most ten seconds from the start of the
 * look-up; use does not extend this. A change of access invalidates all keys of its organisation at
 * once.
 */
import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Metric, Option, type Redacted } from "effect"
import { type ApiScope, hasAllScopes } from "../caller/ApiScope.ts"
import { Caller } from "../caller/Caller.ts"
import { bothLimits, type PortfolioLimit } from "../caller/PortfolioLimit.ts"
import { AccessChanges } from "../organisations/AccessChanges.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { OrganisationInactive, OrganisationMissing } from "../organisations/OrganisationErrors.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ApiKeyAccess } from "./ApiKey.ts"
import { ApiKeyExpired, ApiKeyInvalid } from "./ApiKeyErrors.ts"
import { ApiKeyOwners } from "./ApiKeyOwners.ts"
import * as ApiKeySecret from "./ApiKeySecret.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { ApiKeyUsage } from "./ApiKeyUsage.ts"

const life = Duration.seconds(10)
const lifeNanos = Duration.toNanosUnsafe(life)
const capacity = 10_000

// Created once: brute-force attempts must not cost a stack trace each.
const invalid = Effect.fail(new ApiKeyInvalid())

const cacheCounter = (outcome: "hit" | "miss") =>
  Metric.counter("solar_sites_api_key_cache", {
    description: "Presented well-formed keys: cached (hit) or looked up (miss)",
    attributes: { outcome },
    incremental: true
  })
const hits = cacheCounter("hit")
const misses = cacheCounter("miss")

/** A key with the scopes and the limit of its caller: those of the key and of its owner, both. */
interface GrantedAccess extends ApiKeyAccess {
  readonly scopes: ReadonlyArray<ApiScope>
  readonly portfolioIds: PortfolioLimit
}

/** Refusals of a key. */
export type AccessRefusal = ApiKeyInvalid | ApiKeyExpired | OrganisationMissing | OrganisationInactive

export class ApiKeyAuthenticator extends Context.Service<
  ApiKeyAuthenticator,
  {
    /** Returns the caller of a key. Checks the key first, then its organisation. */
    readonly authenticate: (
      presented: Redacted.Redacted<string>
    ) => Effect.Effect<Caller, AccessRefusal | RepositoryError>
  }
>()("@solar-sites/core/ApiKeyAuthenticator") {
  static readonly layer: Layer.Layer<ApiKeyAuthenticator, never, ApiKeyStore | ApiKeyUsage | AccessChanges> =
    Layer.effect(
      ApiKeyAuthenticator,
      Effect.gen(function* () {
        const store = yield* ApiKeyStore
        const usage = yield* ApiKeyUsage
        const accessChanges = yield* AccessChanges
        const owners = yield* ApiKeyOwners

        /** The access of a key; none when its user is deleted. */
        const grant = Effect.fnUntraced(function* (access: ApiKeyAccess) {
          const { createdBy, organisationId, portfolioIds, scopes } = access.apiKey
          const owned = createdBy === null ? "all" : yield* owners.scopesOf(organisationId, createdBy)
          if (owned === "deleted") return Option.none<GrantedAccess>()
          const limit = createdBy === null ? null : yield* owners.portfolioIdsOf(organisationId, createdBy)
          return Option.some({
            ...access,
            scopes: owned === "all" ? scopes : scopes.filter((one) => owned.includes(one)),
            portfolioIds: bothLimits(portfolioIds, limit)
          })
        })

        // A counter of access changes. A look-up that started before the last relevant change is
        // not used after it, neither from the cache nor in flight.
        let changes = 0
        let everythingChanged = 0
        const changed = new Map<OrganisationId, number>()

        const inFlight = new Set<{ readonly digest: ApiKeySecret.ApiKeyDigest }>()

        const fetchAccess = (digest: ApiKeySecret.ApiKeyDigest) => {
          const lookup = { digest }
          return Effect.gen(function* () {
            inFlight.add(lookup)
            const seen = changes
            const startedAt = yield* Clock.monotonicTimeNanos
            const stored = yield* store.findAcrossOrganisations({ digest })
            const found = Option.isNone(stored) ? stored : yield* grant(stored.value)
            const elapsed = Duration.nanos((yield* Clock.monotonicTimeNanos) - startedAt)
            const remainingLife = Duration.subtract(life, elapsed)
            return { found, changes: seen, remainingLife, endsAt: startedAt + lifeNanos, isHit: false }
          }).pipe(Effect.ensuring(Effect.sync(() => inFlight.delete(lookup))))
        }

        // Unknown keys and failures are not cached: a new key works at once.
        const cache = yield* Cache.makeWith(fetchAccess, {
          capacity,
          timeToLive: (exit) =>
            Exit.isSuccess(exit) && Option.isSome(exit.value.found) ? exit.value.remainingLife : Duration.zero
        })

        yield* accessChanges.listen((change) =>
          Effect.suspend(() => {
            changes += 1
            if (change !== "everything" && changed.size < capacity) {
              changed.set(change.organisationId, changes)
              // The organisations of look-ups in flight are unknown. Without their entries, new
              // calls start new look-ups.
              return Effect.forEach([...inFlight], ({ digest }) => Cache.invalidate(cache, digest), { discard: true })
            }
            everythingChanged = changes
            changed.clear()
            return Cache.invalidateAll(cache)
          })
        )

        /** True when access to the key may have changed since the look-up. */
        const isStale = (seen: number, { apiKey }: ApiKeyAccess): boolean =>
          seen < everythingChanged || seen < (changed.get(apiKey.organisationId) ?? 0)

        const find = Effect.fnUntraced(function* (digest: ApiKeySecret.ApiKeyDigest) {
          while (true) {
            const entry = yield* Cache.get(cache, digest)
            // The cache ends entries by the wall clock, which may have been set back.
            const isOver = entry.isHit && (yield* Clock.monotonicTimeNanos) >= entry.endsAt
            if (isOver || Option.exists(entry.found, (access) => isStale(entry.changes, access))) {
              yield* Cache.invalidate(cache, digest)
              continue
            }
            yield* Metric.update(entry.isHit ? hits : misses, 1)
            entry.isHit = true
            return entry.found
          }
        })

        const checkAccess = Effect.fnUntraced(function* ({
          apiKey,
          organisation,
          portfolioIds,
          scopes
        }: GrantedAccess) {
          if (apiKey.expiresAt.epochMilliseconds <= (yield* Clock.currentTimeMillis)) return yield* new ApiKeyExpired()
          if (organisation === null) return yield* new OrganisationMissing()
          if (organisation.status !== "active") {
            return yield* new OrganisationInactive({ organisationId: organisation.id })
          }
          yield* usage.record(organisation.id, apiKey.id)
          return makeUnchecked(Caller, {
            organisationId: organisation.id,
            userId: apiKey.createdBy,
            apiKeyId: apiKey.id,
            keyPrefix: apiKey.prefix,
            ...(hasAllScopes(scopes) ? {} : { scopes }),
            ...(portfolioIds === null ? {} : { portfolioIds })
          })
        })

        const authenticate = fnWithSpan("ApiKeyAuthenticator.authenticate")(function* (
          presented: Redacted.Redacted<string>
        ) {
          const secret = ApiKeySecret.parse(presented)
          if (Option.isNone(secret)) return yield* invalid
          const found = yield* find(ApiKeySecret.digest(secret.value))
          if (Option.isNone(found)) return yield* invalid
          return yield* checkAccess(found.value)
        })

        return ApiKeyAuthenticator.of({ authenticate })
      })
    )
}
